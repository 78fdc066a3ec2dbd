import { expect, inject, test, vi } from 'vitest'
import { fireCron } from '../../tools/services/cron.ts'
import '../harness/provided.ts'
import { newVisitor } from '../harness/visitor.ts'
import { newBuyer, type Buyer } from '../harness/world/buyer.ts'
import { controlOf } from '../harness/world/razorpay-control.ts'
import { paymentEvent, sendWebhook } from '../harness/world/webhook.ts'

const siteUrl = inject('siteUrl')
const razorpay = controlOf(inject('emulatorUrl'))

/** Webhooks arrive by themselves within a second or so. */
function untilPaid(buyer: Buyer, total = 1_000_000) {
  return vi.waitFor(
    async () => {
      expect((await buyer.balance()).tokens).toEqual({ used: 0, total })
    },
    { timeout: 10_000, interval: 200 },
  )
}

test('row 1: the handler alone: order, pay, verify, tokens; asking again changes nothing', async () => {
  const buyer = await newBuyer(siteUrl)
  const { order, purchaseId } = await buyer.order({ amount: 35 })
  expect(order).toMatchObject({ amount: 3_500, currency: 'USD' })
  const triple = await razorpay.pay(order.id)
  for (let time = 0; time < 3; time += 1) {
    const verified = await buyer.call('/api/payment/verify-payment', {
      json: { ...triple, planType: 'pro' },
    })
    expect(verified).toMatchObject({
      status: 200,
      body: { success: true, status: 'paid', message: 'Payment verified successfully!' },
    })
  }
  expect(await buyer.balance()).toMatchObject({
    subscription: { status: 'active' },
    tokens: { used: 0, total: 1_000_000 },
  })
  for (const id of [purchaseId, triple.orderId, triple.paymentId]) {
    expect(await buyer.stateOf(id)).toMatchObject({ status: 'paid', settlement: 'paid' })
  }
})

test('row 2: the webhook alone: the window was closed after paying', async () => {
  const buyer = await newBuyer(siteUrl)
  const { order } = await buyer.order({ preferredCurrency: 'INR', amount: 2_999 })
  await razorpay.pay(order.id, { method: 'upi', vpa: 'success@razorpay' })
  await untilPaid(buyer)
})

test('row 8: a failure the widget tells of is not the end', async () => {
  const buyer = await newBuyer(siteUrl)
  const { order, purchaseId } = await buyer.order()
  await razorpay.send('POST', '/payments', { order_id: order.id, outcome: 'failure' })
  await vi.waitFor(async () => {
    expect(await buyer.stateOf(purchaseId)).toMatchObject({ status: 'attempted' })
  }, 5_000)
  const json = await razorpay.pay(order.id)
  const verified = await buyer.call('/api/payment/verify-payment', { json })
  expect(verified.body).toMatchObject({ status: 'paid' })
})

test('row 24: UPI is offered for rupees and not for dollars', async () => {
  const buyer = await newBuyer(siteUrl)
  const order = (preferredCurrency: string) =>
    buyer.call('/api/payment/create-order', { json: { planType: 'pro', preferredCurrency } })
  expect((await order('USD')).body).toMatchObject({
    success: true,
    upiEnabled: false,
    mode: 'emulator',
    razorpayKeyId: 'rzp_test_EMUkey00000001',
  })
  expect((await order('INR')).body).toMatchObject({ upiEnabled: true, order: { amount: 299_900 } })
})

test('create-subscription makes the same purchase in its own words', async () => {
  const buyer = await newBuyer(siteUrl)
  const { order, purchaseId } = await buyer.order()
  const answer = await buyer.call('/api/payment/create-subscription', {
    json: { planType: 'pro', preferredCurrency: 'USD' },
  })
  expect(answer.body).toMatchObject({
    success: true,
    subscription: { id: purchaseId, planName: 'Pro', order: { id: order.id }, upiEnabled: false },
  })
  await razorpay.pay(order.id)
  await untilPaid(buyer)
  const settled = await buyer.call('/api/payment/activate-subscription-immediate', {
    method: 'POST',
  })
  expect(settled.body).toMatchObject({ status: 'paid' })
})

test('a token pack needs a plan, and then adds to it', async () => {
  const buyer = await newBuyer(siteUrl)
  const orderPack = () =>
    buyer.call('/api/payment/create-token-order', { json: { currency: 'USD' } })
  expect(await orderPack()).toMatchObject({ status: 403, body: { code: 'PLAN_REQUIRED' } })
  await razorpay.pay((await buyer.order()).order.id)
  await untilPaid(buyer)
  const pack = await orderPack()
  expect(pack.body).toMatchObject({ order: { amount: 2_500, currency: 'USD' } })
  const { order } = Object(pack.body)
  const json = await razorpay.pay(String(order.id))
  const activated = await buyer.call('/api/payment/activate-token-purchase', { json })
  expect(activated.body).toMatchObject({
    status: 'paid',
    message: 'Tokens purchased successfully! 1,000,000 tokens have been added to your account.',
  })
  await untilPaid(buyer, 2_000_000)
})

test('row 4, M5: 52 verify, public, webhook and reconcile runs at once give one grant', async () => {
  const buyer = await newBuyer(siteUrl)
  const { order, purchaseId } = await buyer.order()
  const triple = await razorpay.pay(order.id)
  const webhook = paymentEvent('payment.captured', {
    id: triple.paymentId,
    order_id: order.id,
  })
  // By then the purchase is due for the job.
  const soon = new Date(Date.now() + 61_000)
  const reconcile = () => fireCron(siteUrl, '* * * * *', soon).then(() => ({ status: 200 }))
  const kinds = [
    () => sendWebhook(siteUrl, webhook),
    () => newVisitor(siteUrl).call('/api/payment/activate-order-public', { json: triple }),
    () => buyer.call('/api/payment/verify-payment', { json: triple }),
    reconcile,
  ]
  const rounds = Array.from({ length: 13 }, () => kinds.map((call) => call()))
  const answers = await Promise.all(rounds.flat())
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  await untilPaid(buyer)
  const receipt = await buyer.call(`/api/payment/receipts/${purchaseId}`)
  expect(receipt).toMatchObject({ status: 200 })
  const ledger = await buyer.call('/api/usage/ledger')
  expect(ledger.body).toMatchObject({
    entries: [{ id: `grant:${purchaseId}`, kind: 'grant', tokens: 1_000_000 }],
  })
})

test('row 22, M2: two tabs and a double click share one order', async () => {
  const buyer = await newBuyer(siteUrl)
  const orders = await Promise.all(Array.from({ length: 8 }, () => buyer.order()))
  expect(new Set(orders.map(({ order }) => order.id)).size).toBe(1)
  expect(new Set(orders.map(({ purchaseId }) => purchaseId)).size).toBe(1)
})

test('M17: the success page without a session answers pending, and paid once it is', async () => {
  const buyer = await newBuyer(siteUrl)
  const { order } = await buyer.order()
  const triple = await razorpay.pay(order.id)
  const visitor = newVisitor(siteUrl)
  const ask = (json: Record<string, string>) =>
    visitor.call('/api/payment/activate-order-public', { json })
  const unknown = await ask({ ...triple, orderId: 'order_EMUnobodys0000' })
  const forged = await ask({ ...triple, signature: 'a'.repeat(64) })
  const pending = {
    success: true,
    status: 'pending',
    message:
      'Your payment is being confirmed. Your tokens arrive by themselves, usually in a minute.',
  }
  expect(unknown).toMatchObject({ status: 200, body: pending })
  expect(forged).toMatchObject({ status: 200, body: pending })
  expect(Object.keys(Object(forged.body))).toEqual(Object.keys(Object(unknown.body)))
  const paid = await ask({ ...triple })
  expect(paid.body).toMatchObject({ success: true, status: 'paid' })
  expect(Object.keys(Object(paid.body)).toSorted()).toEqual(['message', 'status', 'success'])
})
