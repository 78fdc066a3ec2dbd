import { expect, test } from 'vitest'
import { at, createBench } from '../bench.ts'
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
