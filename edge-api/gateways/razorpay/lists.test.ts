import { expect, test } from 'vitest'
import { answeringRazorpay } from '../../../tests/harness/fixture/answering-razorpay.ts'

const PAYMENT = 'pay_EMUa1B2c3D4e5F'
const payment = {
  id: PAYMENT,
  entity: 'payment',
  order_id: 'order_EMUa1B2c3D4e5F',
  amount: 3_500,
  currency: 'USD',
  status: 'captured',
  captured: true,
}
const refund = {
  id: 'rfnd_EMUa1B2c3D4e5F',
  payment_id: PAYMENT,
  amount: 3_500,
  currency: 'USD',
  status: 'reversed',
  created_at: 1_790_000_000,
}
const SINCE = 1_790_000_000
const dispute = { ...refund, id: 'disp_EMUa1B2c3D4e5F', status: 'open', phase: 'chargeback' }
const began = (created_at: number) => ({ ...dispute, created_at })
const times = (count: number, item: unknown) => Array.from({ length: count }, () => item)

/** Razorpay with these pages, and nothing after them. */
function listing(...pages: unknown[][]) {
  const left = [...pages]
  return answeringRazorpay(() => ({ body: { items: left.shift() ?? [] } }))
}

test('an entry of unknown shape is left out of a list with an alert, and the others are read', async () => {
  const items = [{ ...payment, id: 'pay_EMUunknown0001', status: 'on_the_moon' }, null, payment]
  const { gateway, alerts } = listing(items)
  const payments = await gateway.paymentsOfOrder('order_EMUa1B2c3D4e5F')
  expect(payments.map(({ paymentId }) => paymentId)).toEqual([PAYMENT])
  const event = 'the payment provider listed something unknown'
  expect(alerts).toEqual([
    { event, fields: { entity: 'payment', id: 'pay_EMUunknown0001', status: 'on_the_moon' } },
    { event, fields: { entity: 'unknown', id: 'unknown', status: 'unknown' } },
  ])
})

test('a payment on delivery is not paid, and a refund that came back did not happen', async () => {
  const pending = { ...payment, status: 'pending', captured: null }
  const [fact] = await listing([pending]).gateway.paymentsOfOrder('order_EMUa1B2c3D4e5F')
  expect(fact).toMatchObject({ status: 'created', amountRefundedMinor: 0 })
  const { gateway, asked } = listing([refund])
  expect(await gateway.refundsOfPayment(PAYMENT)).toMatchObject([{ state: 'undone' }])
  expect(asked).toMatchObject([{ query: { count: '100' } }])
})

test('a payment without an order is not ours: lists leave it out, and a single one is rejected', async () => {
  const foreign = { ...payment, order_id: null }
  const { items } = await listing([foreign, payment]).gateway.paymentsBetween(0, 1)
  expect(items).toHaveLength(1)
  const ofOrder = listing([foreign, payment]).gateway.paymentsOfOrder('order_EMUa1B2c3D4e5F')
  expect(await ofOrder).toHaveLength(1)
  const alone = answeringRazorpay(() => ({ body: foreign })).gateway.fetchPayment(PAYMENT)
  await expect(alone).rejects.toMatchObject({ name: 'GatewayRejected', reason: 'no_order' })
})

test('a list is read page by page until one is not full', async () => {
  const { gateway, asked } = listing(times(100, refund), times(99, refund))
  const { items, isWhole } = await gateway.refundsBetween(1_000_999, 2_000_000)
  expect([items.length, isWhole]).toEqual([199, true])
  const span = { from: '1000', to: '2000', count: '100' }
  expect(asked.map(({ query }) => query)).toEqual([
    { ...span, skip: '0' },
    { ...span, skip: '100' },
  ])
})

test('a page with an entry of unknown shape still counts as full', async () => {
  const { gateway } = listing([null, ...times(99, refund)], [refund])
  expect((await gateway.refundsBetween(0, 1)).items).toHaveLength(100)
})

test('after a thousand entries a list ends and says that it is incomplete', async () => {
  const { gateway, asked } = listing(...Array.from({ length: 20 }, () => times(100, refund)))
  const { items, isWhole } = await gateway.refundsBetween(0, 1)
  expect([items.length, isWhole, asked.length]).toEqual([1_000, false, 10])
})

test('disputes are read until a page holds one that began earlier, which is left out', async () => {
  const full = times(100, began(SINCE))
  const last = [...times(99, began(SINCE)), began(SINCE - 1)]
  const { gateway, asked } = listing(full, last, full)
  const { items, isWhole } = await gateway.disputesSince(SINCE * 1_000 + 999)
  expect([items.length, isWhole, asked.length]).toEqual([199, true, 2])
  expect(items.every(({ beganAt }) => beganAt === SINCE * 1_000)).toBe(true)
})
