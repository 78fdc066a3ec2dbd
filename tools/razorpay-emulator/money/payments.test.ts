import { expect, test } from 'vitest'
import { at, createBench, textAt } from '../bench.ts'
import { defaults } from '../safety.ts'
import { signCheckout } from '../core/signature.ts'

test('a payment is captured, signs its order and pays it', async () => {
  const bench = createBench()
  const order = await bench.order()
  const paid = await bench.pay(order, { method: 'upi' })
  const id = textAt(paid, 'razorpay_payment_id')
  expect(at(paid, 'razorpay_order_id')).toBe(order)
  expect(at(paid, 'razorpay_signature')).toBe(signCheckout(order, id, defaults.keySecret))
  const payment = (await bench.api('GET', `/payments/${id}`)).json
  expect(payment).toMatchObject({
    status: 'captured',
    captured: true,
    amount: 299_900,
    method: 'upi',
    vpa: 'success@razorpay',
    international: false,
  })
  expect(at(payment, 'fee')).toBe(Math.round(299_900 * 0.02 * 1.18))
  const { json } = await bench.api('GET', `/orders/${order}`)
  expect(json).toMatchObject({ status: 'paid', amount_due: 0, attempts: 1 })
})

test('a payment in dollars is by card, international, with a base amount in rupees', async () => {
  const bench = createBench()
  const order = await bench.order({ amount: 3500, currency: 'USD' })
  const upi = await bench.control('POST', '/payments', { order_id: order, method: 'upi' })
  expect(at(upi.json, 'error.reason')).toBe('method_not_enabled')
  const id = textAt(await bench.pay(order), 'razorpay_payment_id')
  const { json } = await bench.api('GET', `/payments/${id}?expand[]=card`)
  expect(json).toMatchObject({ international: true, base_currency: 'INR', base_amount: 294_000 })
  expect(at(json, 'card.last4')).toBe('1007')
})

test('failed payments count as attempts and leave the order open', async () => {
  const bench = createBench()
  const order = await bench.order()
  const failed = await bench.pay(order, { outcome: 'failure' })
  expect(at(failed, 'error.reason')).toBe('card_declined')
  expect(at(failed, 'razorpay_signature')).toBeUndefined()
  expect(at((await bench.api('GET', `/orders/${order}`)).json, 'status')).toBe('attempted')
  await bench.pay(order)
  const { json } = await bench.api('GET', `/orders/${order}/payments`)
  expect(at(json, 'items.0.status')).toBe('captured')
  expect(at(json, 'items.1.error_reason')).toBe('card_declined')
  expect(at((await bench.api('GET', `/orders/${order}`)).json, 'attempts')).toBe(2)
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

test('a failed payment may be authorised late, with the same id', async () => {
  const bench = createBench()
  const order = await bench.order()
  const id = textAt(await bench.pay(order, { outcome: 'failure' }), 'razorpay_payment_id')
  await bench.emulator.advance(3600)
  await bench.control('POST', `/payments/${id}/late_authorize`)
  const { json } = await bench.api('GET', `/payments/${id}`)
  expect(json).toMatchObject({ status: 'captured', error_code: null, late_authorized: true })
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

test('notes of a payment come from the browser, notes of the order do not', async () => {
  const bench = createBench()
  const order = await bench.order({ notes: { purchase: 'mine' } })
  const paid = await bench.pay(order, { notes: { purchase: 'somebody else' } })
  const id = textAt(paid, 'razorpay_payment_id')
  const { json } = await bench.api('GET', `/payments/${id}`)
  expect(at(json, 'notes.purchase')).toBe('somebody else')
  expect(at((await bench.api('GET', `/orders/${order}`)).json, 'notes.purchase')).toBe('mine')
})
