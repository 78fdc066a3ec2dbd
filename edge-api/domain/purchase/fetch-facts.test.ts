import { expect, test } from 'vitest'
import { memoryWorld } from '../../../tests/harness/world/memory-world.ts'
import {
  openUnpaidPurchase,
  paymentFor,
  providerId,
  refundOf,
} from '../../../tests/harness/world/purchase.ts'
import type { PaymentFact, PaymentGateway } from '../ports/payments.ts'
import { fetchFacts } from './fetch-facts.ts'

/** What Razorpay is asked about an unpaid purchase, and what it answers: these payments, and no others. */
async function openAsking(overrides: Parameters<typeof openUnpaidPurchase>[0] = {}) {
  const world = memoryWorld()
  const { purchase } = await openUnpaidPurchase(overrides, world)
  const fetch = (gateway: Partial<PaymentGateway>) => fetchFacts(world.ctxWith(gateway), purchase)
  return { purchase, fetch }
}

test('the refunds are asked for of those payments alone that have any, from one minor unit on', async () => {
  const { purchase, fetch } = await openAsking()
  const whole = paymentFor(purchase)
  const refunded = paymentFor(purchase, { amountRefundedMinor: 1 })
  const refund = refundOf(refunded, { amountMinor: 1 })
  const facts = await fetch({
    paymentsOfOrder: () => Promise.resolve([whole, refunded]),
    refundsOfPayment: (id) =>
      id === refunded.paymentId ? Promise.resolve([refund]) : Promise.reject(new Error(id)),
  })
  expect(facts).toEqual({
    orders: [{ razorpayOrderId: purchase.razorpayOrderId, purchaseId: purchase.id }],
    linkOrders: [],
    payments: [whole, refunded],
    refundsAndDisputes: [refund],
  })
})

test('a link without an order is asked about itself alone, and tells the order behind it', async () => {
  const linkId = providerId('plink')
  const { purchase, fetch } = await openAsking({
    channel: 'link',
    razorpayOrderId: null,
    razorpayLinkId: linkId,
  })
  const payment: PaymentFact = paymentFor(purchase, { razorpayOrderId: providerId('order') })
  const facts = await fetch({ linkPayments: () => Promise.resolve([payment]) })
  const linkOrders = [{ linkId, razorpayOrderId: payment.razorpayOrderId }]
  expect(facts).toEqual({ orders: [], linkOrders, payments: [payment], refundsAndDisputes: [] })
})

test('an order whose creation was not confirmed is looked for by its purchase', async () => {
  const { purchase, fetch } = await openAsking({ razorpayOrderId: null, status: 'creating' })
  const orderId = providerId('order')
  const facts = await fetch({
    findOrder: ({ purchaseId }) => Promise.resolve(purchaseId === purchase.id ? orderId : null),
    paymentsOfOrder: () => Promise.resolve([]),
  })
  expect(facts.orders).toEqual([{ razorpayOrderId: orderId, purchaseId: purchase.id }])
})
