import { expect, test } from 'vitest'
import { at, createBench, textAt } from '../bench.ts'

/** Runs a preset on a fresh order and lets its webhooks arrive. */
async function run(name: string) {
  const bench = createBench()
  const order = await bench.order({ receipt: 'prc_1' })
  const { status, json } = await bench.control('POST', '/scenario', { name, order_id: order })
  await bench.deliver()
  const payments = async () => (await bench.api('GET', `/orders/${order}/payments`)).json
  const steps = at(json, 'steps')
  const types = Array.isArray(steps) ? steps.map((step) => at(step, 'type')) : []
  return { bench, order, status, json, types, payments }
}

test.each([
  ['happy', ['success'], 'order.paid'],
  ['declined-then-ok', ['failed', 'success'], 'payment.failed'],
  ['closed-after-pay', ['dismiss'], 'order.paid'],
  ['webhook-only', ['vanish'], 'order.paid'],
  ['late-auth', ['failed', 'dismiss'], 'payment.failed'],
])('%s: the page sees %j, and %s is sent', async (name, steps, event) => {
  const { types, bench } = await run(name)
  expect(types).toEqual(steps)
  expect(bench.events()).toContain(event)
})

test('handler-only: no webhook for the payment, one for its later refund', async () => {
  const { types, bench, json } = await run('handler-only')
  expect([types, bench.events()]).toEqual([['success'], []])
  await bench.api('POST', `/payments/${textAt(json, 'razorpay_payment_id')}/refund`, {})
  await bench.deliver()
  expect(bench.events()).toEqual(['refund.created', 'refund.processed'])
})

test('webhook-storm: every event many times, the last one first', async () => {
  const { bench } = await run('webhook-storm')
  expect(bench.events()[0]).toBe('order.paid')
  expect(bench.received).toHaveLength(3 * 16)
})
