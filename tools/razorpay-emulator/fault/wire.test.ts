import { expect, test } from 'vitest'
import { at, createBench, textAt } from '../bench.ts'
import { unresolvableFetch } from './wire.ts'

const wanted = { amount: 299_900, currency: 'INR', receipt: 'r1' }

async function orderCount(bench: ReturnType<typeof createBench>): Promise<unknown> {
  return at((await bench.api('GET', '/orders')).json, 'count')
}

test('an answer that hangs ends when the caller gives up', async () => {
  const bench = createBench()
  await bench.fault({ type: 'hang' })
  const request = new Request('http://localhost:8790/v1/orders', {
    signal: AbortSignal.timeout(20),
  })
  await expect(bench.emulator.fetch(request)).rejects.toThrow('fetch failed')
})

test('a reset may strike before or after the work is done', async () => {
  const bench = createBench()
  await bench.fault({ type: 'reset' }, { match: { method: 'POST' } })
  await expect(bench.api('POST', '/orders', wanted)).rejects.toThrow('fetch failed')
  expect(await orderCount(bench)).toBe(0)
  await bench.fault({ type: 'reset', when: 'after' }, { match: { method: 'POST' } })
  await expect(bench.api('POST', '/orders', wanted)).rejects.toThrow('fetch failed')
  expect(await orderCount(bench)).toBe(1)
})

test('work may be done and its answer lost', async () => {
  const bench = createBench()
  await bench.fault({ type: 'commit_then_504' })
  expect((await bench.api('POST', '/orders', wanted)).status).toBe(504)
  await bench.fault({ type: 'commit_then_reset' })
  await expect(bench.api('POST', '/orders', { ...wanted, receipt: 'r2' })).rejects.toThrow()
  expect(await orderCount(bench)).toBe(2)
})

test('delays and slow bodies end in the whole answer', async () => {
  const bench = createBench()
  await bench.fault({ type: 'delay', ms: 5 })
  expect((await bench.api('GET', '/orders')).status).toBe(200)
  await bench.fault({ type: 'slow_body', ms: 5 })
  expect(await orderCount(bench)).toBe(0)
})

test('any status with JSON, HTML, null or nothing', async () => {
  const bench = createBench()
  await bench.fault({ type: 'status', code: 429, retry_after: 7 })
  const limited = await bench.api('GET', '/orders')
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7'])
  await bench.fault({ type: 'status', code: 500, body: 'null' })
  expect((await bench.api('GET', '/orders')).json).toBe('null')
  await bench.fault({ type: 'status', code: 200, body: 'html' })
  expect((await bench.api('GET', '/orders')).json).toMatch(/^<html>/)
  await bench.fault({ type: 'status', code: 302 })
  expect((await bench.api('GET', '/orders')).headers.get('location')).toBeTruthy()
})

test('an answer may be cut off in the middle', async () => {
  const bench = createBench()
  await bench.fault({ type: 'truncated_json' })
  const response = await bench.emulator.fetch(
    new Request('http://localhost:8790/v1/orders', {
      headers: { authorization: `Basic ${btoa('rzp_test_EMUkey00000001:emu_key_secret_0001')}` },
    }),
  )
  const text = await response.text()
  expect(() => {
    JSON.parse(text)
  }).toThrow()
})

test('a capture may fail, or succeed and say that it failed', async () => {
  const bench = createBench()
  const paid = await bench.pay(await bench.order(), { outcome: 'authorize_only' })
  const id = textAt(paid, 'razorpay_payment_id')
  const body = { amount: 299_900, currency: 'INR' }
  await bench.fault({ type: 'capture_fails' })
  await bench.fault({ type: 'capture_then_error' })
  expect((await bench.api('POST', `/payments/${id}/capture`, body)).status).toBe(400)
  expect(at((await bench.api('GET', `/payments/${id}`)).json, 'captured')).toBe(false)
  expect((await bench.api('POST', `/payments/${id}/capture`, body)).status).toBe(502)
  expect(at((await bench.api('GET', `/payments/${id}`)).json, 'captured')).toBe(true)
})

test('script and frame may be blocked', async () => {
  const bench = createBench()
  await bench.fault({ type: 'script_blocked' })
  await expect(bench.browser('/checkout/v1/checkout.js')).rejects.toThrow()
  expect((await bench.browser('/checkout/v1/checkout.js')).status).toBe(200)
  await bench.fault({ type: 'frame_blocked' })
  await expect(bench.browser('/checkout/frame')).rejects.toThrow()
})

test('a rule strikes the n-th matching request, so many times, and says when it never did', async () => {
  const bench = createBench()
  const down = { type: 'status', code: 503 }
  await bench.fault(down, { id: 'second', match: { path: '/v1/orders', nth: 2 } })
  await bench.fault(down, { id: 'never', match: { path: '/v1/refunds/*' } })
  const statuses = []
  for (let turn = 0; turn < 3; turn += 1) statuses.push((await bench.api('GET', '/orders')).status)
  expect(statuses).toEqual([200, 503, 200])
  expect(at((await bench.control('DELETE', '/faults')).json, 'unfired')).toEqual(['never'])
})

test('a rule for a receipt strikes that receipt alone, and one with a time ends by itself', async () => {
  const bench = createBench()
  await bench.fault({ type: 'status', code: 500 }, { match: { receipt: 'r1' }, times: null })
  expect((await bench.api('POST', '/orders', wanted)).status).toBe(500)
  expect((await bench.api('POST', '/orders', { ...wanted, receipt: 'r2' })).status).toBe(200)
  await bench.control('DELETE', '/faults')
  await bench.fault({ type: 'status', code: 500 }, { times: null, seconds: 600 })
  expect((await bench.api('GET', '/orders')).status).toBe(500)
  await bench.emulator.advance(600)
  expect((await bench.api('GET', '/orders')).status).toBe(200)
})

test('a name that does not resolve is a fault of the client', async () => {
  await expect(unresolvableFetch()).rejects.toMatchObject({ cause: { code: 'ENOTFOUND' } })
})

test('orders may come with another amount, late in lists, as taken or as a stranger’s', async () => {
  const bench = createBench()
  await bench.fault({ type: 'order_amount_mismatch', delta: 50 })
  const made = await bench.api('POST', '/orders', wanted)
  expect(at(made.json, 'amount')).toBe(299_950)
  const id = textAt(made.json, 'id')
  await bench.fault({ type: 'foreign_order' })
  expect((await bench.api('GET', `/orders/${id}`)).status).toBe(400)
  await bench.fault({ type: 'duplicate_receipt' })
  expect((await bench.api('POST', '/orders', { ...wanted, receipt: 'r3' })).status).toBe(400)
  await bench.fault({ type: 'list_lag', seconds: 300 })
  await bench.order({ receipt: 'r4' })
  expect(await orderCount(bench)).toBe(1)
  await bench.emulator.advance(301)
  expect(await orderCount(bench)).toBe(2)
})
