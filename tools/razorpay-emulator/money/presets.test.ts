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

test('late-auth: authorised two minutes later', async () => {
  const { bench, payments } = await run('late-auth')
  expect(at(await payments(), 'items.0.status')).toBe('failed')
  await bench.emulator.advance(120)
  expect(at(await payments(), 'items.0.status')).toBe('captured')
})

test('webhook-storm: every event many times, the last one first', async () => {
  const { bench } = await run('webhook-storm')
  expect(bench.events()[0]).toBe('order.paid')
  expect(bench.received).toHaveLength(3 * 16)
})

test('second-payment: captured once, the other payment is refunded at once', async () => {
  const { payments } = await run('second-payment')
  expect(await payments()).toMatchObject({
    items: [
      { status: 'refunded', captured: false },
      { status: 'captured', captured: true },
    ],
  })
})

test('double-pay-order-and-link: both are paid; it is offered only where there is a link', async () => {
  const bench = createBench()
  const name = 'double-pay-order-and-link'
  const order = await bench.order({ receipt: 'prc_1' })
  const offered = async () => at((await bench.control('GET', '/presets')).json, order)
  expect(await offered()).not.toContain(name)
  await bench.api('POST', '/payment_links', { amount: 299_900, reference_id: 'prc_1' })
  expect(await offered()).toContain(name)
  await bench.control('POST', '/scenario', { name, order_id: order })
  await bench.deliver()
  expect(bench.events().filter((event) => event === 'payment.captured')).toHaveLength(2)
  expect(bench.events()).toContain('payment_link.paid')
})

test('refund-before-capture: the event of the refund comes first', async () => {
  const { bench } = await run('refund-before-capture')
  const events = bench.events()
  expect(events.indexOf('refund.processed')).toBeLessThan(events.indexOf('payment.captured'))
})

test('an unknown preset is refused with the list of presets', async () => {
  const { status, json } = await run('nonsense')
  expect(status).toBe(400)
  expect(at(json, 'error.description')).toContain('closed-after-pay')
})
