import { expect, test } from 'vitest'
import { at, createBench, textAt } from '../bench.ts'

const wanted = { amount: 299_900, currency: 'INR', receipt: 'r1' }
const authorization = `Basic ${btoa('rzp_test_EMUkey00000001:emu_key_secret_0001')}`

async function orderCount(bench: ReturnType<typeof createBench>): Promise<unknown> {
  return at((await bench.api('GET', '/orders')).json, 'count')
}

test('a request that hangs ends when the caller gives up', async () => {
  const bench = createBench()
  await bench.fault({ type: 'hang' })
  const request = new Request('http://localhost:8790/v1/orders', {
    signal: AbortSignal.timeout(20),
  })
  await expect(bench.emulator.fetch(request)).rejects.toThrow('fetch failed')
})

test('a connection may break before or after the request is carried out', async () => {
  const bench = createBench()
  await bench.fault({ type: 'reset' })
  await expect(bench.api('POST', '/orders', wanted)).rejects.toThrow('fetch failed')
  expect(await orderCount(bench)).toBe(0)
  await bench.fault({ type: 'commit_then_reset' })
  await expect(bench.api('POST', '/orders', wanted)).rejects.toThrow('fetch failed')
  expect(await orderCount(bench)).toBe(1)
  await bench.fault({ type: 'commit_then_504' })
  expect((await bench.api('POST', '/orders', { ...wanted, receipt: 'r2' })).status).toBe(504)
  expect(await orderCount(bench)).toBe(2)
  const requests = JSON.stringify((await bench.control('GET', '/requests')).json)
  expect(requests).toContain('"status":null,"fault":"commit_then_reset"')
})

test('a slow body arrives whole', async () => {
  const bench = createBench()
  await bench.fault({ type: 'slow_body', ms: 5 })
  expect(await orderCount(bench)).toBe(0)
})

test('an answer may have any status, with JSON, HTML, null or nothing', async () => {
  const bench = createBench()
  await bench.fault({ type: 'status', code: 429, retry_after: 7 })
  const limited = await bench.api('GET', '/orders')
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7'])
  await bench.fault({ type: 'status', code: 500, body: 'null' })
  expect((await bench.api('GET', '/orders')).json).toBe('null')
  await bench.fault({ type: 'status', code: 200, body: 'html' })
  expect((await bench.api('GET', '/orders')).json).toMatch(/^<html>/)
  await bench.fault({ type: 'status', code: 302 })
  expect((await bench.browser('/v1/orders')).headers.get('location')).toBeTruthy()
})

test('an answer may end in the middle', async () => {
  const bench = createBench()
  await bench.fault({ type: 'truncated_json' })
  const request = new Request('http://localhost:8790/v1/orders', { headers: { authorization } })
  const text = await (await bench.emulator.fetch(request)).text()
  expect(() => {
    JSON.parse(text)
  }).toThrow()
})

test('an order may come with another amount, or be refused for its receipt', async () => {
  const bench = createBench()
  await bench.fault({ type: 'order_amount_mismatch', delta: 50 })
  const { json } = await bench.api('POST', '/orders', wanted)
  expect(at(json, 'amount')).toBe(299_950)
  await bench.fault({ type: 'duplicate_receipt' })
  const refused = await bench.api('POST', '/orders', { ...wanted, unique_receipt: true })
  expect(refused.status).toBe(400)
  expect(at(refused.json, 'error.metadata.order_id')).toBe(textAt(json, 'id'))
})

test('a rule matches method and path, and the API alone where it names no path', async () => {
  const bench = createBench()
  await bench.fault({ type: 'reset' })
  expect((await bench.browser('/checkout/v1/checkout.js')).status).toBe(200)
  await expect(bench.api('GET', '/orders')).rejects.toThrow()
  await bench.fault({ type: 'reset' }, { match: { path: '/checkout/v1/checkout.js' } })
  await expect(bench.browser('/checkout/v1/checkout.js')).rejects.toThrow()
  await bench.fault({ type: 'reset' }, { match: { method: 'POST', path: '/v1/*' } })
  expect((await bench.api('GET', '/orders')).status).toBe(200)
  await expect(bench.api('POST', '/orders', wanted)).rejects.toThrow()
})

test('a rule applies a number of times or for a span of time, and tells when it never fired', async () => {
  const bench = createBench()
  const down = { type: 'status', code: 503 }
  await bench.fault(down, { times: 2, match: { path: '/v1/orders' } })
  await bench.fault(down, { id: 'never', match: { path: '/v1/refunds/*' } })
  const statuses = []
  for (let turn = 0; turn < 3; turn += 1) statuses.push((await bench.api('GET', '/orders')).status)
  expect(statuses).toEqual([503, 503, 200])
  expect(at((await bench.control('DELETE', '/faults')).json, 'unfired')).toEqual(['never'])
  await bench.fault(down, { times: null, seconds: 600 })
  expect((await bench.api('GET', '/orders')).status).toBe(503)
  await bench.emulator.advance(600)
  expect((await bench.api('GET', '/orders')).status).toBe(200)
})

test('a rule can be removed, and an unknown action is refused', async () => {
  const bench = createBench()
  const { json } = await bench.fault({ type: 'reset' })
  await bench.control('DELETE', `/faults/${textAt(json, 'id')}`)
  expect((await bench.api('GET', '/orders')).status).toBe(200)
  expect((await bench.fault({ type: 'explode' })).status).toBe(400)
})
