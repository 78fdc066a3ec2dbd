import { expect, test } from 'vitest'
import { at, createBench, textAt } from '../bench.ts'

type Json = Record<string, unknown>

/** Pays one order under a fault and answers its payments, newest first. */
async function payUnder(action: Json, seconds = 0) {
  const bench = createBench()
  await bench.fault(action)
  const order = await bench.order()
  const answer = await bench.pay(order)
  await bench.emulator.advance(seconds)
  const { json } = await bench.api('GET', `/orders/${order}/payments`)
  return { bench, order, answer, payment: at(json, 'items.0'), older: at(json, 'items.1') }
}

test('amount and currency of a payment may differ from its order', async () => {
  const amount = await payUnder({ type: 'amount_mismatch', delta: -100 })
  expect(amount.payment).toMatchObject({ amount: 299_800, captured: true })
  const currency = await payUnder({ type: 'currency_mismatch' })
  expect(currency.payment).toMatchObject({ currency: 'USD', captured: true })
})

test('a payment may stop at authorised', async () => {
  const { payment, answer } = await payUnder({ type: 'authorize_only' })
  expect(payment).toMatchObject({ status: 'authorized', captured: false })
  expect(at(answer, 'razorpay_signature')).toBeTruthy()
})

test('a failed payment may be captured later under the same id', async () => {
  for (const type of ['late_authorize', 'failed_then_captured']) {
    const early = await payUnder({ type, seconds: 60 }, 59)
    expect(at(early.payment, 'status')).toBe('failed')
    const late = await payUnder({ type, seconds: 60 }, 61)
    expect(at(late.payment, 'status')).toBe('captured')
  }
})

test('a failed payment may be followed by a new one that succeeds', async () => {
  const { payment, older, answer } = await payUnder({ type: 'fail_then_new_payment' })
  expect([at(payment, 'status'), at(older, 'status')]).toEqual(['captured', 'failed'])
  expect(at(answer, 'razorpay_payment_id')).toBe(at(payment, 'id'))
  expect(at(answer, 'steps.0.type')).toBe('failed')
})

test('a second payment on a paid order is given back at once', async () => {
  const { bench, payment, older } = await payUnder({ type: 'second_payment_on_paid_order' }, 5)
  expect(older).toMatchObject({ status: 'captured', captured: true })
  expect(payment).toMatchObject({ status: 'refunded', captured: false })
  const refund = bench.received.find((one) => one.event === 'refund.processed')
  expect(at(JSON.parse(refund?.body ?? ''), 'payload.payment.entity.captured')).toBe(false)
})

test('refunds by the provider, in part, and pending ones that fail', async () => {
  expect((await payUnder({ type: 'auto_refund' })).payment).toMatchObject({
    status: 'refunded',
    captured: false,
  })
  const part = await payUnder({ type: 'partial_refund', amount: 100 })
  expect(part.payment).toMatchObject({ status: 'captured', amount_refunded: 100 })
  const { bench, answer } = await payUnder({ type: 'stuck_created' })
  expect(at(answer, 'steps.0.type')).toBe('dismiss')
  await bench.fault({ type: 'refund_pending', then: 'failed', seconds: 60 })
  const id = textAt(await bench.pay(await bench.order()), 'razorpay_payment_id')
  await bench.api('POST', `/payments/${id}/refund`, {})
  await bench.emulator.advance(61)
  expect(at((await bench.api('GET', `/payments/${id}`)).json, 'amount_refunded')).toBe(0)
})

test('the window may close, be late, speak twice, or sign wrongly', async () => {
  const stepsUnder = async (action: Json) => (await payUnder(action)).answer
  expect(at(await stepsUnder({ type: 'close_after_pay' }), 'steps.0.type')).toBe('dismiss')
  expect(at(await stepsUnder({ type: 'handler_delay', ms: 900 }), 'steps.0.delayMs')).toBe(900)
  expect(at(await stepsUnder({ type: 'handler_twice' }), 'steps.0.times')).toBe(2)
  const both = await stepsUnder({ type: 'failed_event_then_handler' })
  expect([at(both, 'steps.0.type'), at(both, 'steps.1.type')]).toEqual(['failed', 'success'])
  const good = at(await stepsUnder({ type: 'handler_delay' }), 'razorpay_signature')
  for (const type of ['tampered_signature', 'other_order_signature']) {
    const signature = textAt(await stepsUnder({ type }), 'razorpay_signature')
    expect(signature).toMatch(/^[0-9a-f]{64}$/)
    expect(signature).not.toBe(good)
  }
})

test('the window may close before anything is paid', async () => {
  const { answer, payment } = await payUnder({ type: 'close_before_pay' })
  expect(at(answer, 'steps.0.type')).toBe('dismiss')
  expect(payment).toBeUndefined()
})
