import { expect, test } from 'vitest'
import { at, createBench, textAt } from '../bench.ts'

/** Runs a preset on a fresh order and lets its webhooks arrive. */
async function run(name: string, seconds = 5) {
  const bench = createBench()
  const order = await bench.order({ receipt: 'prc_1' })
  const { status, json } = await bench.control('POST', '/scenario', { name, order_id: order })
  await bench.deliver(seconds)
  const payments = async () => (await bench.api('GET', `/orders/${order}/payments`)).json
  const steps = at(json, 'steps')
  if (status === 200 && !Array.isArray(steps)) throw new Error('no steps')
  const types = Array.isArray(steps) ? steps.map((step) => at(step, 'type')) : []
  return { bench, order, status, json, types, payments }
}

test('happy: handler and webhooks', async () => {
  const { types, bench, json } = await run('happy')
  expect(types).toEqual(['success'])
  expect(at(json, 'razorpay_signature')).toBeTruthy()
  expect(bench.events()).toContain('order.paid')
})

test('declined-then-ok: a failure, then the handler with another payment', async () => {
  const { types, bench } = await run('declined-then-ok')
  expect(types).toEqual(['failed', 'success'])
  expect(bench.events()).toContain('payment.failed')
})

test('closed-after-pay: the money moves, the window is dismissed', async () => {
  const { types, bench } = await run('closed-after-pay')
  expect(types).toEqual(['dismiss'])
  expect(bench.events()).toContain('order.paid')
})

test('webhook-only: the window disappears without telling the page', async () => {
  const { types, bench } = await run('webhook-only')
  expect(types).toEqual(['vanish'])
  expect(bench.events()).toContain('order.paid')
})

test('handler-only: no webhook for the payment, one for its later refund', async () => {
  const { types, bench, json } = await run('handler-only')
  expect(types).toEqual(['success'])
  expect(bench.events()).toEqual([])
  await bench.api('POST', `/payments/${textAt(json, 'razorpay_payment_id')}/refund`, {})
  await bench.deliver()
  expect(bench.events()).toEqual(['refund.created', 'refund.processed'])
})

test('late-auth: failed and closed, authorised two minutes later', async () => {
  const { types, bench, payments } = await run('late-auth')
  expect(types).toEqual(['failed', 'dismiss'])
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
  const { bench, payments } = await run('second-payment')
  const json = await payments()
  expect(at(json, 'items.1')).toMatchObject({ status: 'captured', captured: true })
  expect(at(json, 'items.0')).toMatchObject({ status: 'refunded', captured: false })
  expect(bench.events()).toContain('refund.processed')
})

test('double-pay-order-and-link: both are paid; it is offered only where there is a link', async () => {
  const bench = createBench()
  const name = 'double-pay-order-and-link'
  const order = await bench.order({ receipt: 'prc_1' })
  const offered = async () => at((await bench.control('GET', '/presets')).json, order)
  expect(await offered()).not.toContain(name)
  const call = { name, order_id: order }
  expect((await bench.control('POST', '/scenario', call)).status).toBe(400)
  await bench.api('POST', '/payment_links', { amount: 299_900, reference_id: 'prc_1' })
  expect(await offered()).toContain(name)
  await bench.control('POST', '/scenario', call)
  await bench.deliver()
  expect(at((await bench.api('GET', `/orders/${order}`)).json, 'status')).toBe('paid')
  expect(bench.events().filter((event) => event === 'payment.captured')).toHaveLength(2)
  expect(bench.events()).toContain('payment_link.paid')
})

test('refund-before-capture: the event of the refund comes first', async () => {
  const { bench } = await run('refund-before-capture')
  const events = bench.events()
  expect(events.indexOf('refund.processed')).toBeLessThan(events.indexOf('payment.captured'))
})

test('wrong-amount: captured with another amount than ordered', async () => {
  const { payments } = await run('wrong-amount')
  expect(at(await payments(), 'items.0.amount')).toBe(299_800)
})

test('api-down-10min: paid, but the API answers nothing for ten minutes', async () => {
  const { bench, order, types } = await run('api-down-10min')
  expect(types).toEqual(['success'])
  expect((await bench.api('GET', `/orders/${order}`)).status).toBe(503)
  await bench.emulator.advance(600)
  expect((await bench.api('GET', `/orders/${order}`)).status).toBe(200)
})

test('an unknown preset is refused with the list of presets', async () => {
  const { status, json } = await run('nonsense')
  expect(status).toBe(400)
  expect(at(json, 'error.description')).toContain('closed-after-pay')
})
