import { expect, test } from 'vitest'
import { at, createBench, textAt } from '../bench.ts'
import { defaults } from '../safety.ts'

test('a payment in dollars is by card, international, with a base amount in rupees', async () => {
  const bench = createBench()
  const order = await bench.order({ amount: 3500, currency: 'USD' })
  const upi = await bench.control('POST', '/payments', { order_id: order, method: 'upi' })
  expect(at(upi.json, 'error.reason')).toBe('method_not_enabled')
  const id = textAt(await bench.pay(order), 'razorpay_payment_id')
  const { json } = await bench.api('GET', `/payments/${id}`)
  expect(json).toMatchObject({ international: true, base_currency: 'INR', base_amount: 294_000 })
})

test('a paid order takes no more payments, also after a refund', async () => {
  const bench = createBench()
  const order = await bench.order()
  const id = textAt(await bench.pay(order), 'razorpay_payment_id')
  await bench.api('POST', `/payments/${id}/refund`, {})
  const again = await bench.control('POST', '/payments', { order_id: order, method: 'card' })
  expect(at(again.json, 'error.reason')).toBe('order_already_paid')
  expect(at((await bench.api('GET', `/orders/${order}`)).json, 'status')).toBe('paid')
})

test('an authorised payment blocks the order, is captured once and only in full', async () => {
  const bench = createBench()
  const order = await bench.order()
  const paid = await bench.pay(order, { outcome: 'authorize_only' })
  const id = textAt(paid, 'razorpay_payment_id')
  const second = await bench.control('POST', '/payments', { order_id: order, method: 'card' })
  expect(at(second.json, 'error.reason')).toBe('payment_in_progress')
  const capture = (amount: number) =>
    bench.api('POST', `/payments/${id}/capture`, { amount, currency: 'INR' })
  expect(at((await capture(1)).json, 'error.description')).toMatch(/must be equal/)
  expect(at((await capture(299_900)).json, 'status')).toBe('captured')
  expect(at((await capture(299_900)).json, 'error.description')).toMatch(/already been captured/)
})

test('less than INR 1.00 cannot be refunded, and no unknown field is taken', async () => {
  const bench = createBench()
  const id = textAt(await bench.pay(await bench.order()), 'razorpay_payment_id')
  const refund = (body: object) => bench.api('POST', `/payments/${id}/refund`, body)
  const { status, json } = await refund({ amount: 99 })
  expect(status).toBe(400)
  expect(at(json, 'error.description')).toBe('The amount must be at least INR 1.00')
  const { json: extra } = await refund({ amount: 100, colour: 'red' })
  expect(at(extra, 'error.reason')).toBe('extra_field_sent')
})

test('an uncaptured payment is refunded after three days, with captured false', async () => {
  const bench = createBench()
  const paid = await bench.pay(await bench.order(), { outcome: 'authorize_only' })
  const id = textAt(paid, 'razorpay_payment_id')
  await bench.emulator.advance(3 * 24 * 3600 - 1)
  expect(at((await bench.api('GET', `/payments/${id}`)).json, 'status')).toBe('authorized')
  await bench.emulator.advance(2)
  const { json } = await bench.api('GET', `/payments/${id}`)
  expect(json).toMatchObject({ status: 'refunded', captured: false, refund_status: 'full' })
})

test('an uncaptured payment of an order with windows of its own is refunded when they end', async () => {
  const bench = createBench()
  const options = { automatic_expiry_period: 12, manual_expiry_period: 7200 }
  const payment = { capture: 'automatic', capture_options: { ...options, refund_speed: 'normal' } }
  const order = await bench.order({ payment })
  const paid = await bench.pay(order, { outcome: 'authorize_only' })
  const id = textAt(paid, 'razorpay_payment_id')
  const statusAfter = async (seconds: number) => {
    await bench.emulator.advance(seconds)
    return at((await bench.api('GET', `/payments/${id}`)).json, 'status')
  }
  expect(await statusAfter(5 * 24 * 3600 - 1)).toBe('authorized')
  expect(await statusAfter(2)).toBe('refunded')
})

test('a late authorisation beyond the capture window stays uncaptured', async () => {
  const bench = createBench()
  const options = { automatic_expiry_period: 12, manual_expiry_period: 7200 }
  const payment = { capture: 'automatic', capture_options: { ...options, refund_speed: 'normal' } }
  const order = await bench.order({ payment })
  const id = textAt(await bench.pay(order, { outcome: 'failure' }), 'razorpay_payment_id')
  await bench.emulator.advance(13 * 60)
  const { json } = await bench.control('POST', `/payments/${id}/late_authorize`)
  expect(at(json, 'status')).toBe('authorized')
})

test('no answer from the bank is a failure after ten minutes', async () => {
  const bench = createBench()
  const claim = { key: defaults.keyId, order_id: await bench.order() }
  const begun = await bench.browser('/checkout/api/pay', {
    ...claim,
    instrument: { method: 'netbanking' },
  })
  const id = textAt(begun.json, 'payment_id')
  expect(at((await bench.api('GET', `/payments/${id}`)).json, 'status')).toBe('created')
  await bench.emulator.advance(601)
  const { json } = await bench.api('GET', `/payments/${id}`)
  expect(json).toMatchObject({ status: 'failed', error_reason: 'payment_timed_out' })
})
