import { expect, test } from 'vitest'
import { at, createBench, textAt } from '../bench.ts'
import { defaults } from '../safety.ts'

/** An order with windows of its own, in which a payment is captured or refunded. */
const WINDOWS = {
  payment: {
    capture: 'automatic',
    capture_options: {
      automatic_expiry_period: 12,
      manual_expiry_period: 7200,
      refund_speed: 'normal',
    },
  },
}

/** A payment with this outcome, on an order with these options. */
async function paymentWith(outcome: string, options: Record<string, unknown> = {}) {
  const bench = createBench()
  const order = await bench.order(options)
  const id = textAt(await bench.pay(order, { outcome }), 'razorpay_payment_id')
  const read = async () => (await bench.api('GET', `/payments/${id}`)).json
  return { bench, order, id, read }
}

test('a payment in dollars is by card, international, with a base amount in rupees', async () => {
  const inDollars = { amount: 3500, currency: 'USD' }
  const { bench, read } = await paymentWith('success', inDollars)
  const order_id = await bench.order(inDollars)
  const upi = await bench.control('POST', '/payments', { order_id, method: 'upi' })
  expect(at(upi.json, 'error.reason')).toBe('method_not_enabled')
  const base = { international: true, base_currency: 'INR', base_amount: 294_000 }
  expect(await read()).toMatchObject(base)
})

test('a paid order takes no more payments, also after a refund', async () => {
  const { bench, order, id } = await paymentWith('success')
  await bench.api('POST', `/payments/${id}/refund`, {})
  const again = await bench.control('POST', '/payments', { order_id: order, method: 'card' })
  expect(at(again.json, 'error.reason')).toBe('order_already_paid')
  expect(at((await bench.api('GET', `/orders/${order}`)).json, 'status')).toBe('paid')
})

test('an authorised payment blocks the order, is captured once and only in full', async () => {
  const { bench, order, id } = await paymentWith('authorize_only')
  const second = await bench.control('POST', '/payments', { order_id: order, method: 'card' })
  expect(at(second.json, 'error.reason')).toBe('payment_in_progress')
  const capture = (amount: number) =>
    bench.api('POST', `/payments/${id}/capture`, { amount, currency: 'INR' })
  expect(at((await capture(1)).json, 'error.description')).toMatch(/must be equal/)
  expect(at((await capture(299_900)).json, 'status')).toBe('captured')
  expect(at((await capture(299_900)).json, 'error.description')).toMatch(/already been captured/)
})

test.each([
  ['after three days', 3, {}],
  ['when the windows of its order end', 5, WINDOWS],
])('an uncaptured payment is refunded %s, with captured false', async (_, days, options) => {
  const { bench, read } = await paymentWith('authorize_only', options)
  await bench.emulator.advance(days * 24 * 3600 - 1)
  expect(at(await read(), 'status')).toBe('authorized')
  await bench.emulator.advance(2)
  expect(await read()).toMatchObject({ status: 'refunded', captured: false, refund_status: 'full' })
})

test('a late authorisation beyond the capture window stays uncaptured', async () => {
  const { bench, id } = await paymentWith('failure', WINDOWS)
  await bench.emulator.advance(13 * 60)
  const { json } = await bench.control('POST', `/payments/${id}/late_authorize`)
  expect(at(json, 'status')).toBe('authorized')
})

test('no answer from the bank is a failure after ten minutes', async () => {
  const bench = createBench()
  const claim = { key: defaults.keyId, order_id: await bench.order() }
  const instrument = { method: 'netbanking' }
  const begun = await bench.browser('/checkout/api/pay', { ...claim, instrument })
  const read = async () =>
    (await bench.api('GET', `/payments/${textAt(begun.json, 'payment_id')}`)).json
  expect(at(await read(), 'status')).toBe('created')
  await bench.emulator.advance(601)
  expect(await read()).toMatchObject({ status: 'failed', error_reason: 'payment_timed_out' })
})
