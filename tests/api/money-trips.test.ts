import { expect, inject, test } from 'vitest'
import '../harness/provided.ts'
import { TRIPS_OF_JOURNEYS, tripsOf } from '../harness/trips.ts'
import type { Answer } from '../harness/visitor.ts'
import { newBuyer } from '../harness/world/buyer.ts'
import { controlOf } from '../harness/world/razorpay-control.ts'
import { paymentEvent, sendWebhook } from '../harness/world/webhook.ts'

const siteUrl = inject('siteUrl')
const razorpay = controlOf(inject('emulatorUrl'))

/** An order that is paid, of which no webhook will tell. */
async function payQuietly(made: Answer) {
  const orderId = String(Object(made.body).order.id)
  await razorpay.fault({ match: { order_id: orderId }, times: null, action: { type: 'lost' } })
  return razorpay.pay(orderId)
}

function costOf(answer: Answer): number {
  expect(answer.status).toBe(200)
  return tripsOf(answer)
}

test('reads of money take one round trip to the database, writes at most two', async () => {
  const buyer = await newBuyer(siteUrl)
  const post = (path: string, json: object = {}) => buyer.call(`/api/payment/${path}`, { json })
  const first = await post('create-order', { planType: 'pro' })
  const trips: Record<string, number> = {
    order: costOf(first),
    reorder: costOf(await post('create-order', { planType: 'pro' })),
  }
  const { order, purchaseId } = Object(first.body)
  const json = await payQuietly(first)
  trips['verifyPayment'] = costOf(await post('verify-payment', json))
  trips['verifyAgain'] = costOf(await post('verify-payment', json))
  const body = paymentEvent('payment.captured', { id: json.paymentId, order_id: order.id })
  trips['razorpayWebhook'] = costOf(await sendWebhook(siteUrl, body))
  trips['status'] = costOf(await buyer.call(`/api/payment/status/${String(purchaseId)}`))
  trips['purchases'] = costOf(await buyer.call('/api/payment/purchases'))
  trips['receipt'] = costOf(await buyer.call(`/api/payment/receipts/${String(purchaseId)}`))
  trips['activateAgain'] = costOf(await post('activate-subscription-immediate'))
  const pack = await payQuietly(await post('create-token-order'))
  trips['activateTokenPurchase'] = costOf(await post('activate-token-purchase', pack))
  expect(trips).toEqual({
    order: 2,
    reorder: 1,
    verifyPayment: TRIPS_OF_JOURNEYS.verifyPayment,
    verifyAgain: 1,
    razorpayWebhook: TRIPS_OF_JOURNEYS.razorpayWebhook,
    status: 1,
    purchases: 1,
    receipt: 1,
    activateAgain: 1,
    activateTokenPurchase: TRIPS_OF_JOURNEYS.activateTokenPurchase,
  })
})

test.each([
  ['activateOrderPublic', 'activate-order-public'],
  ['activateSubscriptionImmediate', 'activate-subscription-immediate'],
] as const)('%s takes at most two round trips', async (id, path) => {
  const buyer = await newBuyer(siteUrl)
  const json = { planType: 'pro' }
  const triple = await payQuietly(await buyer.call('/api/payment/create-order', { json }))
  const answer = await buyer.call(`/api/payment/${path}`, { json: triple })
  expect(costOf(answer)).toBe(TRIPS_OF_JOURNEYS[id])
  expect((await buyer.balance()).tokens.total).toBe(1_000_000)
})
