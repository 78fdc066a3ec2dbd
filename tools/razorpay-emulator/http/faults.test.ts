import { expect, test } from 'vitest'
import { createBench } from '../bench.ts'

test('a rule applies a number of times or for a span of time', async () => {
  const bench = createBench()
  const down = { type: 'status', code: 503 }
  await bench.fault(down, { times: 2, match: { path: '/v1/orders' } })
  const statuses = []
  for (let turn = 0; turn < 3; turn += 1) statuses.push((await bench.api('GET', '/orders')).status)
  expect(statuses).toEqual([503, 503, 200])
  await bench.fault(down, { times: null, seconds: 600 })
  expect((await bench.api('GET', '/orders')).status).toBe(503)
  await bench.emulator.advance(600)
  expect((await bench.api('GET', '/orders')).status).toBe(200)
})
