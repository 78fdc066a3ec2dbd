import { createHmac } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { PURCHASE, TOAST } from '../../src/contract/messages.ts'
import { testSecrets } from '../harness/services.ts'
import { mailsTo } from '../harness/stored.ts'
import { newBuyer, type Buyer } from '../harness/world/buyer.ts'
import { controlOf } from '../harness/world/razorpay.ts'

const siteUrl = inject('siteUrl')
const razorpay = controlOf(inject('emulatorUrl'))

/** Waits for the webhook. */
function untilPaid(buyer: Buyer, total = 1_000_000) {
  return expect.poll(async () => (await buyer.balance()).tokens).toEqual({ used: 0, total })
}

async function buyPro() {
  const buyer = await newBuyer(siteUrl)
  const { order, purchaseId } = await buyer.order({ preferredCurrency: 'INR', amount: 2_999 })
  const triple = await razorpay.pay(order.id)
  const json = { ...triple, planType: 'pro' }
  const verified = await buyer.call('/api/payment/verify-payment', { json })
  return { buyer, purchaseId, order, triple, verified }
}

test('verifying a payment grants the tokens and mails the receipt once, however often it is repeated', async () => {
  const { buyer, purchaseId, order, triple, verified } = await buyPro()
  expect(verified).toMatchObject({
    status: 200,
    body: { success: true, status: 'paid', message: TOAST.paymentVerified },
  })
  const again = await buyer.call('/api/payment/verify-payment', { json: triple })
  expect(again.body).toMatchObject({ status: 'paid' })
  expect(await buyer.balance()).toMatchObject({
    subscription: { status: 'active' },
    tokens: { used: 0, total: 1_000_000 },
  })
  for (const id of [purchaseId, triple.orderId, triple.paymentId]) {
    expect(await buyer.stateOf(id)).toMatchObject({ status: 'paid', settlement: 'paid' })
  }
  const { receipt } = Object((await buyer.call(`/api/payment/receipts/${purchaseId}`)).body)
  expect(receipt).toMatchObject({
    number: expect.stringMatching(/^R-\d{6}$/),
    lines: [{ amount: order.amount }],
    total: order.amount,
    tax: 0,
    currency: 'INR',
    paymentId: triple.paymentId,
  })
  const mails = (await mailsTo(receipt.buyer.email)).filter(({ text }) => text.includes('R-'))
  expect(mails).toHaveLength(1)
  for (const part of [receipt.number, 'INR 2999.00', `/receipt?id=${purchaseId}`]) {
    expect(mails[0]?.text).toContain(part)
  }
})

test('the webhook alone grants the tokens when the window was closed after paying by UPI', async () => {
  const buyer = await newBuyer(siteUrl)
  const { order } = await buyer.order({ preferredCurrency: 'INR' })
  await razorpay.pay(order.id, { method: 'upi', vpa: 'success@razorpay' })
  await untilPaid(buyer)
})

test('webhooks as Razorpay may send them, re-encoded, repeated or without an id, grant once', async () => {
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

test('a token pack needs an active plan and adds to its tokens', async () => {
  const { call } = await newBuyer(siteUrl)
  expect(await call('/api/payment/create-token-order', { json: {} })).toMatchObject({
    status: 403,
    body: { code: 'PLAN_REQUIRED', message: PURCHASE.planRequired },
  })
  const { buyer } = await buyPro()
  const pack = await buyer.call('/api/payment/create-token-order', { json: { currency: 'USD' } })
  expect(pack.body).toMatchObject({ order: { amount: 2_500, currency: 'USD' } })
  const json = await razorpay.pay(String(Object(pack.body).order.id))
  const activated = await buyer.call('/api/payment/activate-token-purchase', { json })
  expect(activated.body).toMatchObject({ status: 'paid', message: PURCHASE.tokensPurchased })
  await untilPaid(buyer, 2_000_000)
})

test('a partial refund takes back its share of the tokens, a full one the rest', async () => {
  const { buyer, purchaseId, triple } = await buyPro()
  const refund = (amount: number) =>
    razorpay.send('POST', `/payments/${triple.paymentId}/refund`, { amount })
  await refund(59_980)
  await untilPaid(buyer, 800_000)
  await refund(239_920)
  await untilPaid(buyer, 0)
  expect(await buyer.stateOf(purchaseId)).toMatchObject({ status: 'refunded' })
  expect(await buyer.balance()).toMatchObject({ subscription: { status: 'past_due' } })
})

test('a dispute takes the tokens back and returns them when it is won', async () => {
  const { buyer, triple } = await buyPro()
  const dispute = (event: string) =>
    razorpay.send('POST', `/payments/${triple.paymentId}/dispute`, { event })
  await dispute('created')
  await untilPaid(buyer, 0)
  await dispute('won')
  await untilPaid(buyer)
})

test('an Idempotency-Key names one purchase of one account', async () => {
  const [buyer, other] = [await newBuyer(siteUrl), await newBuyer(siteUrl)]
  const headers = { 'idempotency-key': 'the-same-for-both' }
  const order = (who: Buyer, preferredCurrency: string) =>
    who.call('/api/payment/create-order', { json: { planType: 'pro', preferredCurrency }, headers })
  const first = await order(buyer, 'USD')
  expect((await order(buyer, 'USD')).body).toEqual(first.body)
  expect(await order(buyer, 'INR')).toMatchObject({
    status: 409,
    body: { code: 'IDEMPOTENCY_KEY_REUSED' },
  })
  const foreign = Object((await order(other, 'USD')).body).purchaseId
  expect(foreign).toMatch(/^pur_/)
  expect(foreign).not.toBe(Object(first.body).purchaseId)
})

test('an amount that differs from the price is refused, and the price is never taken from the client', async () => {
  const buyer = await newBuyer(siteUrl)
  const order = (body: Record<string, unknown>) =>
    buyer.call('/api/payment/create-order', { json: { planType: 'pro', ...body } })
  for (const amount of [1, 34.99, 2_999, 0]) {
    expect(await order({ amount })).toMatchObject({
      status: 400,
      body: { code: 'AMOUNT_MISMATCH', message: PURCHASE.amountDiffers },
    })
  }
  const raw = await buyer.call('/api/payment/create-order', {
    method: 'POST',
    text: '{"planType":"pro","amount":1e309}',
    headers: { 'content-type': 'application/json' },
  })
  expect(raw.status).toBe(400)
  for (const [field, value] of [
    ...['35', -35, null, [35]].map((amount) => ['amount', amount] as const),
    ...['tokens', 'currency', 'quantity'].map((name) => [name, 9e9] as const),
  ]) {
    expect(await order({ [field]: value })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', errors: [{ path: field }] },
    })
  }
  const { order: made } = await buyer.order({ amount: 35 })
  expect(made).toMatchObject({ amount: 3_500, currency: 'USD' })
})

test('a signature that is forged, reordered or of another order is refused', async () => {
  const sign = (message: string) =>
    createHmac('sha256', testSecrets.RAZORPAY_KEY_SECRET).update(message).digest('hex')
  const { triple } = await buyPro()
  const buyer = await newBuyer(siteUrl)
  const { order } = await buyer.order()
  const { paymentId } = triple
  for (const signature of [
    triple.signature,
    sign(`${paymentId}|${order.id}`),
    sign(`${order.id}|pay_EMUotherpaymnt`),
    'f'.repeat(64),
  ]) {
    const json = { orderId: order.id, paymentId, signature }
    expect(await buyer.call('/api/payment/verify-payment', { json })).toMatchObject({
      status: 400,
      body: { code: 'SIGNATURE_INVALID' },
    })
  }
  expect((await buyer.balance()).tokens.total).toBe(0)
})

test("another account's purchase is not found by any of its ids", async () => {
  const { purchaseId, triple } = await buyPro()
  const stranger = await newBuyer(siteUrl)
  for (const id of [purchaseId, triple.orderId, triple.paymentId]) {
    expect((await stranger.call(`/api/payment/status/${id}`)).status).toBe(404)
  }
  expect((await stranger.call(`/api/payment/receipts/${purchaseId}`)).status).toBe(404)
  expect(await stranger.call('/api/payment/verify-payment', { json: triple })).toMatchObject({
    status: 404,
    body: { code: 'NOT_FOUND' },
  })
  expect((await stranger.call('/api/payment/purchases')).body).toMatchObject({ purchases: [] })
})

test('malformed ids are refused before Razorpay is asked', async () => {
  const buyer = await newBuyer(siteUrl)
  for (const id of ['x%2F..%2F..%2Fsettlements%3Fcount=100%23', 'pay_..%2F', 'order_1']) {
    expect((await buyer.call(`/api/payment/status/${id}`)).status).toBe(404)
  }
  const json = {
    orderId: 'x/../../settlements?count=100#',
    paymentId: 'pay_EMUp7Q8r9S0t1U',
    signature: 'a'.repeat(64),
  }
  for (const path of ['verify-payment', 'activate-token-purchase', 'activate-order-public']) {
    expect((await buyer.call(`/api/payment/${path}`, { json })).status).toBe(400)
  }
  const asked = (await razorpay.requests()).filter(({ path }) => path.includes('settlements'))
  expect(asked).toEqual([])
})
