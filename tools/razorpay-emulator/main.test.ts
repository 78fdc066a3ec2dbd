import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { at } from './bench.ts'
import { serve } from './server.ts'

const main = fileURLToPath(new URL('main.ts', import.meta.url))

/** A server of the emulator's kind, on a port of its own. */
async function listen(): Promise<string> {
  const server = await serve(() => Promise.resolve(new Response()), 0)
  onTestFinished(() => void server.close())
  return String(at(server.address(), 'port'))
}

/** What the emulator says first, started as a process of its own, and how it ends. */
async function start(env: Record<string, string>) {
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  const [line] = await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')])
  return { line: String(line).trim(), end: await exited }
}

test('a production environment ends it in one clear line', async () => {
  const production = await start({ RAZORPAY_PORT: await listen(), ENVIRONMENT: 'production' })
  expect(production.line).toContain('does not run in production')
  expect(production.end).toEqual([1, null])
})

test('a foreign host name is refused', async () => {
  const url = `http://127.0.0.1:${await listen()}/`
  expect((await fetch(url)).status).toBe(200)
  const [answer] = await once(request(url, { headers: { host: 'evil.example' } }).end(), 'response')
  expect(at(answer, 'statusCode')).toBe(403)
})
