import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fileFolder } from '../../tests/harness/test-folder.ts'
import { freePort } from './ports.ts'
import { lastWordsOf, type ServiceSpec } from './service.ts'
import { supervise } from './supervise.ts'
import { answers, waitUntil } from './wait-until.ts'

const folder = fileFolder('supervise')

const lines: string[] = []
const say = (line: string) => {
  lines.push(line)
}

async function serverSpec(body: string): Promise<ServiceSpec & { url: string }> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    name: 'The test server',
    command: process.execPath,
    args: ['--eval', body.replace('PORT', String(port))],
    env: process.env,
    logFile: join(folder, `${port}.log`),
    isReady: () => answers(url),
    readyTimeoutMs: 60_000,
  }
}

const server = "require('http').createServer((q, r) => r.end('ok')).listen(PORT, '127.0.0.1')"

test('a service that dies is started again on the same port', async () => {
  const spec = await serverSpec(server)
  const service = await supervise(spec, say)
  onTestFinished(service.stop)
  const before = service.pid() ?? 0
  process.kill(before, 'SIGKILL')
  const isBack = async () => service.pid() !== before && (await answers(spec.url))
  expect(await waitUntil(isBack, { timeoutMs: 60_000 })).toBe(true)
  expect(lines).toContain('The test server was ended by SIGKILL; starting it again.')
})

/** A server that complains with each call, and says how often it was called. */
const complainer = `
  let calls = 0
  require('http').createServer((q, r) => {
    console.error('a complaint')
    r.end(String(++calls))
  }).listen(PORT, '127.0.0.1')`

test.skipIf(process.platform !== 'linux')(
  'a full disk has no room for a log, and ends nobody',
  async () => {
    // Keeps echoed output out of the report of the tests.
    const terminal = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    onTestFinished(() => terminal.mockRestore())
    const echoed = () => terminal.mock.calls.map(([bytes]) => String(bytes)).join('')
    // A file on which each write fails like on a full disk.
    const spec = { ...(await serverSpec(complainer)), logFile: '/dev/full', echoesErrors: true }
    const service = await supervise(spec, say)
    onTestFinished(service.stop)
    const pid = service.pid()
    const calls = async () => Number(await (await fetch(spec.url)).text())
    const first = await calls()
    expect(await calls()).toBe(first + 1)
    await expect.poll(echoed).toMatch(/There is no room for \/dev\/full(.*\n)+a complaint/)
    expect(service.pid()).toBe(pid)
  },
)

test('a stopped service is not started again', async () => {
  const spec = await serverSpec(server)
  const service = await supervise(spec, say)
  await service.stop()
  expect(await answers(spec.url)).toBe(false)
})

/** A server that starts another one, and answers with the address of that one. */
const parent = `
  const child = require('child_process').spawn(process.execPath, ['--eval', \`
    const server = require('http').createServer((q, r) => r.end('ok')).listen(0, '127.0.0.1', () =>
      console.log('http://127.0.0.1:' + server.address().port))\`])
  child.stdout.once('data', (url) =>
    require('http').createServer((q, r) => r.end(String(url).trim())).listen(PORT, '127.0.0.1'))`

test('the processes that a dead service started end with it', async () => {
  const spec = await serverSpec(parent)
  const service = await supervise(spec, say)
  onTestFinished(service.stop)
  const url = await (await fetch(spec.url)).text()
  expect(await answers(url)).toBe(true)
  process.kill(service.pid() ?? 0, 'SIGKILL')
  const isGone = async () => !(await answers(url))
  expect(await waitUntil(isGone, { timeoutMs: 60_000 })).toBe(true)
})

test('a service that ends while it starts is reported with its last log line', async () => {
  const spec = await serverSpec("console.error('Error: PORT is taken'); process.exit(3)")
  await expect(supervise(spec, say)).rejects.toThrow(
    /The test server ended with 3\. It said: Error: \d+ is taken/,
  )
})

test('a service that never answers is ended and reported', async () => {
  const spec = { ...(await serverSpec('setInterval(() => {}, 1000)')), readyTimeoutMs: 300 }
  await expect(supervise(spec, say)).rejects.toThrow('did not answer within 0.3 s')
})

test('the line before a call stack is the last log line', () => {
  const rust = `Error: file is not a database

Caused by:
    Error code 26: File opened that is not a database file

Stack backtrace:
   0: anyhow::error::<impl core::convert::From<E> for anyhow::Error>::from
   9: __libc_start_call_main
             at ./csu/../sysdeps/nptl/libc_start_call_main.h:58:16
`
  const script = `TypeError: no
    at errorOf (file:///emulator.ts:1:1)
`
  expect(lastWordsOf(rust)).toBe('Error code 26: File opened that is not a database file')
  expect(lastWordsOf(script)).toBe('TypeError: no')
})

test('without an error the last line counts, and an empty log has none', () => {
  expect(lastWordsOf('port 1\nlistening\n')).toBe('listening')
  expect(lastWordsOf('\n')).toBeNull()
})
