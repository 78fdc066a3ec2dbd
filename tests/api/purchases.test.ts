import { expect, inject, test, vi } from 'vitest'
import { PURCHASE, TOAST } from '../../src/contract/messages.ts'
import { fireCron } from '../../tools/services/cron.ts'
import { newVisitor } from '../harness/visitor.ts'
import { newBuyer, type Buyer } from '../harness/world/buyer.ts'
import { controlOf, paymentEvent, sendWebhook } from '../harness/world/razorpay.ts'

const siteUrl = inject('siteUrl')
const razorpay = controlOf(inject('emulatorUrl'))

/** Waits for the webhook, which arrives within a second or so. */
function untilPaid(buyer: Buyer, total = 1_000_000) {
  return vi.waitFor(
    async () => {
      expect((await buyer.balance()).tokens).toEqual({ used: 0, total })
    },
    { timeout: 10_000, interval: 200 },
  )
}

test('verifying a payment grants the tokens once, however often it is repeated', async () => {
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
      body: { success: true, status: 'paid', message: TOAST.paymentVerified },
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

test('the webhook alone grants the tokens when the window was closed after paying', async () => {
  const buyer = await newBuyer(siteUrl)
  const { order } = await buyer.order({ preferredCurrency: 'INR', amount: 2_999 })
  await razorpay.pay(order.id, { method: 'upi', vpa: 'success@razorpay' })
  await untilPaid(buyer)
})

test('a payment after a failed one on the same order is granted', async () => {
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

test('UPI is enabled for INR and not for USD', async () => {
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

test('create-subscription returns the purchase that create-order made', async () => {
  const buyer = await newBuyer(siteUrl)
  const { order, purchaseId } = await buyer.order()
  const answer = await buyer.call('/api/payment/create-subscription', {
    json: { planType: 'pro', preferredCurrency: 'USD' },
  })
  expect(answer.body).toMatchObject({
    success: true,
    subscription: {
      id: purchaseId,
      planName: 'Pro',
      razorpayKeyId: 'rzp_test_EMUkey00000001',
      order: { id: order.id, amount: 3_500 },
      upiEnabled: false,
    },
  })
  await razorpay.pay(order.id)
  await untilPaid(buyer)
  const settled = await buyer.call('/api/payment/activate-subscription-immediate', {
    method: 'POST',
  })
  expect(settled.body).toMatchObject({ status: 'paid' })
})

test('a token pack needs an active plan and adds to its tokens', async () => {
  const buyer = await newBuyer(siteUrl)
  const orderPack = () =>
    buyer.call('/api/payment/create-token-order', { json: { currency: 'USD' } })
  expect(await orderPack()).toMatchObject({
    status: 403,
    body: { code: 'PLAN_REQUIRED', message: PURCHASE.planRequired },
  })
  await razorpay.pay((await buyer.order()).order.id)
  await untilPaid(buyer)
  const pack = await orderPack()
  expect(pack.body).toMatchObject({ order: { amount: 2_500, currency: 'USD' } })
  const { order } = Object(pack.body)
  const json = await razorpay.pay(String(order.id))
  const activated = await buyer.call('/api/payment/activate-token-purchase', { json })
  expect(activated.body).toMatchObject({
    status: 'paid',
    message: PURCHASE.tokensPurchased,
  })
  await untilPaid(buyer, 2_000_000)
})

test('52 verifications, public activations, webhooks and reconcile runs at once make one grant', async () => {
  const buyer = await newBuyer(siteUrl)
  const { order, purchaseId } = await buyer.order()
  const triple = await razorpay.pay(order.id)
  const webhook = paymentEvent('payment.captured', {
    id: triple.paymentId,
    order_id: order.id,
  })
  // By then the purchase is due for the reconcile job.
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

test('eight orders at once for one plan are one order', async () => {
  const buyer = await newBuyer(siteUrl)
  const orders = await Promise.all(Array.from({ length: 8 }, () => buyer.order()))
  expect(new Set(orders.map(({ order }) => order.id)).size).toBe(1)
  expect(new Set(orders.map(({ purchaseId }) => purchaseId)).size).toBe(1)
})

test('the public activation answers pending to a forged or unknown payment, and grants a genuine one to its owner', async () => {
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
    message: PURCHASE.confirming,
  }
  expect(unknown).toMatchObject({ status: 200, body: pending })
  expect(forged).toMatchObject({ status: 200, body: pending })
  expect(Object.keys(Object(forged.body))).toEqual(Object.keys(Object(unknown.body)))
  const paid = await ask({ ...triple })
  expect(paid.body).toMatchObject({ success: true, status: 'paid' })
  expect(Object.keys(Object(paid.body)).toSorted()).toEqual(['message', 'status', 'success'])
  expect((await buyer.balance()).tokens.total).toBe(1_000_000)
})

test('webhooks as the emulator sends them, re-encoded, duplicated or without an id, grant once', async () => {
  const habits = [
    { type: 'reencode' },
    { type: 'missing_event_id' },
    { type: 'duplicate', n: 3 },
    { type: 'duplicate_new_id', n: 3 },
    { type: 'unknown_event' },
  ]
  const sales = habits.map(async (action) => {
    const buyer = await newBuyer(siteUrl)
    const { order } = await buyer.order()
    await razorpay.fault({ match: { order_id: order.id, event: 'payment.captured' }, action })
    await razorpay.pay(order.id)
    await untilPaid(buyer)
  })
  await Promise.all(sales)
})
