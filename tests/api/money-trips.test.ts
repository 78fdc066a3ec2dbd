import { expect, inject, test } from 'vitest'
import '../harness/provided.ts'
import type { Answer } from '../harness/visitor.ts'
import { newBuyer } from '../harness/world/buyer.ts'
import { controlOf } from '../harness/world/razorpay-control.ts'
import { paymentEvent, sendWebhook } from '../harness/world/webhook.ts'

const siteUrl = inject('siteUrl')
const razorpay = controlOf(inject('emulatorUrl'))

function tripsOf(answer: Answer): number {
  expect(answer.status).toBe(200)
  const [, trips] = /trips=(\d+)/.exec(answer.headers.get('server-timing') ?? '') ?? []
  return Number(trips)
}

test('reads of money take one round trip to the database, writes at most two', async () => {
  const buyer = await newBuyer(siteUrl)
  const order = () => buyer.call('/api/payment/create-order', { json: { planType: 'pro' } })
  const first = await order()
  const trips: Record<string, number> = { order: tripsOf(first), reorder: tripsOf(await order()) }
  const { order: made, purchaseId } = Object(first.body)
  const json = await razorpay.pay(String(made.id))
  const verify = () => buyer.call('/api/payment/verify-payment', { json })
  trips['confirm'] = tripsOf(await verify())
  trips['confirmAgain'] = tripsOf(await verify())
  const body = paymentEvent('payment.captured', { id: json.paymentId, order_id: made.id })
  trips['webhook'] = tripsOf(await sendWebhook(siteUrl, body))
  trips['status'] = tripsOf(await buyer.call(`/api/payment/status/${String(purchaseId)}`))
  trips['purchases'] = tripsOf(await buyer.call('/api/payment/purchases'))
  trips['receipt'] = tripsOf(await buyer.call(`/api/payment/receipts/${String(purchaseId)}`))
  const activate = '/api/payment/activate-subscription-immediate'
  trips['activateAgain'] = tripsOf(await buyer.call(activate, { method: 'POST' }))
  expect(trips).toEqual({
    order: 2,
    reorder: 1,
    confirm: 2,
    confirmAgain: 1,
    webhook: 2,
    status: 1,
    purchases: 1,
    receipt: 1,
    activateAgain: 1,
  })
})
