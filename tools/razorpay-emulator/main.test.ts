import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { at, textAt } from './bench.ts'
import { defaults } from './safety.ts'

const main = fileURLToPath(new URL('main.ts', import.meta.url))

async function listen(onRequest: (body: string) => number) {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => response.writeHead(onRequest(body)).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { server, port: portOf(server.address()) }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

async function freePort(): Promise<number> {
  const { server, port } = await listen(() => 200)
  server.close()
  await once(server, 'close')
  return port
}

/** Starts the emulator as a process of its own and waits for its first line. */
async function start(env: Record<string, string>) {
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  onTestFinished(() => void child.kill('SIGKILL'))
  const [first] = await Promise.race([
    once(child.stdout, 'data'),
    once(child.stderr, 'data'),
    exited.then(() => ['']),
  ])
  return { child, exited, line: String(first) }
}

async function post(port: number, path: string, headers: Record<string, string>, body: unknown) {
  const response = await fetch(`http://localhost:${String(port)}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const json: unknown = await response.json()
  return json
}

const authorization = `Basic ${btoa(`${defaults.keyId}:${defaults.keySecret}`)}`

test('a killed emulator keeps what it answered and continues to deliver', async () => {
  const events: string[] = []
  let isUp = false
  const hook = await listen((body) => {
    if (isUp) events.push(textAt(JSON.parse(body), 'event'))
    return isUp ? 200 : 500
  })
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'emulator-'))
  const env = {
    RAZORPAY_PORT: String(port),
    WEBHOOK_URL: `http://127.0.0.1:${String(hook.port)}/`,
    STATE_FILE: join(folder, 'state.json'),
  }
  const first = await start(env)
  expect(first.line).toContain(`http://localhost:${String(port)}`)
  const wanted = { amount: 3500, currency: 'USD' }
  const order = textAt(await post(port, '/v1/orders', { authorization }, wanted), 'id')
  const control = { 'x-emu-control': 'local' }
  const paid = await post(port, '/__emu/payments', control, { order_id: order })
  expect(at(paid, 'payment_status')).toBe('captured')
  first.child.kill('SIGKILL')
  await first.exited
  isUp = true
  const second = await start(env)
  const response = await fetch(`http://localhost:${String(port)}/v1/orders/${order}`, {
    headers: { authorization },
  })
  expect(at(await response.json(), 'status')).toBe('paid')
  await expect
    .poll(() => events.toSorted())
    .toEqual(['order.paid', 'payment.authorized', 'payment.captured'])
  second.child.kill('SIGTERM')
  expect(await second.exited).toEqual([0, null])
  expect(await readFile(env.STATE_FILE, 'utf8')).not.toContain('emu_key_secret')
})

test('a taken port and a production environment each end in one clear line', async () => {
  const other = await listen(() => 200)
  const taken = await start({ RAZORPAY_PORT: String(other.port) })
  expect(taken.line.trim().split('\n')).toEqual([
    `razorpay emulator: port ${String(other.port)} is taken: set RAZORPAY_PORT to another one`,
  ])
  expect(await taken.exited).toEqual([1, null])
  const production = await start({ RAZORPAY_PORT: String(other.port), ENVIRONMENT: 'production' })
  expect(production.line).toContain('does not run in production')
  expect(await production.exited).toEqual([1, null])
})

test('a dropped connection is dropped on the wire, and a foreign host name is refused', async () => {
  const port = await freePort()
  const { child } = await start({ RAZORPAY_PORT: String(port) })
  const control = { 'x-emu-control': 'local' }
  await post(port, '/__emu/faults', control, { action: { type: 'reset' } })
  const url = `http://localhost:${String(port)}/v1/orders`
  await expect(fetch(url, { headers: { authorization } })).rejects.toThrow('fetch failed')
  expect((await fetch(url, { headers: { authorization } })).status).toBe(200)
  const { request } = await import('node:http')
  const foreign = request(url, { headers: { host: 'evil.example' } }).end()
  const [answer] = await once(foreign, 'response')
  expect(at(answer, 'statusCode')).toBe(403)
  child.kill('SIGKILL')
})
