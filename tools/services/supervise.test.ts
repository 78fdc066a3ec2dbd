import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { freePorts } from './ports.ts'
import { isAlive } from './process-list.ts'
import type { ServiceSpec } from './service.ts'
import { supervise } from './supervise.ts'
import { answers, waitUntil } from './wait-until.ts'

const folder = mkdtempSync(join(tmpdir(), 'sotto-supervise-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

const lines: string[] = []
const groups: number[] = []
const watchers = {
  onSpawn: (_name: string, group: number) => groups.push(group),
  onGone: () => undefined,
  say: (line: string) => lines.push(line),
}

async function serverSpec(body: string): Promise<ServiceSpec & { url: string }> {
  const [port = 0] = await freePorts(1)
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    name: 'The test server',
    command: process.execPath,
    args: ['--eval', body.replace('PORT', String(port))],
    env: process.env,
    logFile: join(folder, `${port}.log`),
    isReady: () => answers(url),
    readyTimeoutMs: 20_000,
  }
}

const server = "require('http').createServer((q, r) => r.end('ok')).listen(PORT, '127.0.0.1')"

test('a service that dies is started again on the same port', async () => {
  const spec = await serverSpec(server)
  const service = await supervise(spec, watchers)
  onTestFinished(service.stop)
  const before = service.pid() ?? 0
  process.kill(before, 'SIGKILL')
  const isBack = async () => service.pid() !== before && (await answers(spec.url))
  expect(await waitUntil(isBack, { timeoutMs: 15_000 })).toBe(true)
  expect(lines).toContain('The test server was ended by SIGKILL; starting it again.')
})

test('stopping ends it and it stays ended', async () => {
  const spec = await serverSpec(server)
  const service = await supervise(spec, watchers)
  const pid = service.pid() ?? 0
  await service.stop()
  expect(isAlive(pid)).toBe(false)
  expect(await answers(spec.url)).toBe(false)
})

test('what a dead service has started itself is ended with it', async () => {
  const spec = await serverSpec(
    `const { spawn } = require('child_process')
     const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
     require('http').createServer((q, r) => r.end(String(child.pid))).listen(PORT, '127.0.0.1')`,
  )
  const service = await supervise(spec, watchers)
  onTestFinished(service.stop)
  const grandchild = Number(await (await fetch(spec.url)).text())
  process.kill(service.pid() ?? 0, 'SIGKILL')
  const isGone = () => Promise.resolve(!isAlive(grandchild))
  expect(await waitUntil(isGone, { timeoutMs: 10_000 })).toBe(true)
})

test('a service that ends at its start is reported with its last words', async () => {
  const spec = await serverSpec("console.error('Error: PORT is taken'); process.exit(3)")
  await expect(supervise(spec, watchers)).rejects.toThrow(
    /The test server ended with 3\. It said: Error: \d+ is taken/,
  )
})

test('a service that never answers is ended and reported', async () => {
  const spec = { ...(await serverSpec('setInterval(() => {}, 1000)')), readyTimeoutMs: 300 }
  await expect(supervise(spec, watchers)).rejects.toThrow('did not answer within 0.3 s')
  expect(isAlive(groups.at(-1) ?? 0)).toBe(false)
})
