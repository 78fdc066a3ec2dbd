import { createHmac } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { PURCHASE } from '../../src/contract/messages.ts'
import { newBuyer } from '../harness/world/buyer.ts'
import { controlOf } from '../harness/world/razorpay.ts'
import { testSecrets } from '../harness/services.ts'

const siteUrl = inject('siteUrl')
const razorpay = controlOf(inject('emulatorUrl'))

const sign = (message: string) =>
  createHmac('sha256', testSecrets.RAZORPAY_KEY_SECRET).update(message).digest('hex')

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
  for (const amount of ['35', -35, null, [35]]) {
    expect(await order({ amount })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED' },
    })
  }
  const raw = await buyer.call('/api/payment/create-order', {
    method: 'POST',
    text: '{"planType":"pro","amount":1e309}',
    headers: { 'content-type': 'application/json' },
  })
  expect(raw.status).toBe(400)
  for (const field of ['tokens', 'currency', 'quantity']) {
    expect(await order({ [field]: 9e9 })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', errors: [{ path: field }] },
    })
  }
  const { order: made } = await buyer.order({ amount: 35 })
  expect(made).toMatchObject({ amount: 3_500, currency: 'USD' })
})

test('an unknown plan type or currency is refused', async () => {
  const buyer = await newBuyer(siteUrl)
  for (const planType of ['gold', 'constructor', '__proto__', 'token_pack', '']) {
    for (const path of ['create-order', 'create-subscription']) {
      expect(await buyer.call(`/api/payment/${path}`, { json: { planType } })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_PLAN_TYPE', message: PURCHASE.invalidPlanType(planType) },
      })
    }
  }
  const json = { planType: 'pro', preferredCurrency: 'EUR' }
  expect((await buyer.call('/api/payment/create-order', { json })).status).toBe(400)
})

test('an Idempotency-Key names one purchase of one account', async () => {
  const buyer = await newBuyer(siteUrl)
  const other = await newBuyer(siteUrl)
  const headers = { 'idempotency-key': 'the-same-for-both' }
  const order = (who: typeof buyer, preferredCurrency: string) =>
    who.call('/api/payment/create-order', {
      json: { planType: 'pro', preferredCurrency },
      headers,
    })
  const first = await order(buyer, 'USD')
  expect((await order(buyer, 'USD')).body).toEqual(first.body)
  expect(await order(buyer, 'INR')).toMatchObject({
    status: 409,
    body: { code: 'IDEMPOTENCY_KEY_REUSED' },
  })
  const foreign = await order(other, 'USD')
  expect(foreign.status).toBe(200)
  expect(Object(foreign.body).purchaseId).not.toBe(Object(first.body).purchaseId)
})

test('an Idempotency-Key that met an open order keeps naming that order', async () => {
  const buyer = await newBuyer(siteUrl)
  const order = (key: string, preferredCurrency: string) =>
    buyer.call('/api/payment/create-order', {
      json: { planType: 'pro', preferredCurrency },
      headers: { 'idempotency-key': key },
    })
  const made = await order('first-key', 'USD')
  const { purchaseId } = Object(made.body)
  expect(await order('second-key', 'USD')).toMatchObject({ status: 200, body: { purchaseId } })
  expect(await order('second-key', 'INR')).toMatchObject({
    status: 409,
    body: { code: 'IDEMPOTENCY_KEY_REUSED' },
  })
  expect(await order('second-key', 'USD')).toMatchObject({ status: 200, body: { purchaseId } })
})

test('a plan that is active is not sold twice', async () => {
  const buyer = await newBuyer(siteUrl)
  const json = await razorpay.pay((await buyer.order()).order.id)
  await buyer.call('/api/payment/verify-payment', { json })
  for (const path of ['create-order', 'create-subscription', 'create-payment-link']) {
    const answer = await buyer.call(`/api/payment/${path}`, { json: { planType: 'pro' } })
    expect(answer).toMatchObject({ status: 409, body: { code: 'PLAN_ALREADY_ACTIVE' } })
  }
})

test('a signature that is forged, reordered or of another order is refused', async () => {
  const buyer = await newBuyer(siteUrl)
  const { order } = await buyer.order()
  const stranger = await newBuyer(siteUrl)
  const elsewhere = await razorpay.pay((await stranger.order()).order.id)
  const { paymentId } = elsewhere
  const signatures = [
    elsewhere.signature,
    sign(`${paymentId}|${order.id}`),
    sign(`${order.id}|pay_EMUotherpaymnt`),
    'f'.repeat(64),
  ]
  for (const signature of signatures) {
    const answer = await buyer.call('/api/payment/verify-payment', {
      json: { orderId: order.id, paymentId, signature },
    })
    expect(answer).toMatchObject({ status: 400, body: { code: 'SIGNATURE_INVALID' } })
  }
  expect((await buyer.balance()).tokens.total).toBe(0)
})

test('a valid signature over a payment of another order grants nothing', async () => {
  const buyer = await newBuyer(siteUrl)
  const { order } = await buyer.order()
  const stranger = await newBuyer(siteUrl)
  const { paymentId } = await razorpay.pay((await stranger.order()).order.id)
  // Only a leaked key could sign this. The payment still belongs to another order.
  const signature = sign(`${order.id}|${paymentId}`)
  const answer = await buyer.call('/api/payment/verify-payment', {
    json: { orderId: order.id, paymentId, signature },
  })
  expect(answer).toMatchObject({ status: 200, body: { status: 'pending' } })
  expect((await buyer.balance()).tokens.total).toBe(0)
})

test("another account's purchase is not found by any of its ids", async () => {
  const owner = await newBuyer(siteUrl)
  const stranger = await newBuyer(siteUrl)
  const { order, purchaseId } = await owner.order()
  const triple = await razorpay.pay(order.id)
  await owner.call('/api/payment/verify-payment', { json: triple })
  const unknown = await stranger.call('/api/payment/status/pur_00000000000000000000000000')
  for (const id of [purchaseId, order.id, triple.paymentId]) {
    const answer = await stranger.call(`/api/payment/status/${id}`)
    expect(answer.status).toBe(404)
    expect(Object(answer.body).message).toBe(Object(unknown.body).message)
  }
  const verified = await stranger.call('/api/payment/verify-payment', { json: triple })
  expect(verified).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  expect((await stranger.call(`/api/payment/receipts/${purchaseId}`)).status).toBe(404)
  expect((await stranger.call('/api/payment/purchases')).body).toMatchObject({ purchases: [] })
  expect((await stranger.balance()).tokens.total).toBe(0)
})

test('malformed ids are refused before Razorpay is asked', async () => {
  const buyer = await newBuyer(siteUrl)
  const before = (await razorpay.requests()).filter(({ path }) => path.includes('settlements'))
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
  const after = (await razorpay.requests()).filter(({ path }) => path.includes('settlements'))
  expect(after).toEqual(before)
})

test('activating without a paid purchase grants nothing', async () => {
  const buyer = await newBuyer(siteUrl)
  const activate = () =>
    buyer.call('/api/payment/activate-subscription-immediate', { method: 'POST' })
  expect(await activate()).toMatchObject({
    status: 404,
    body: { code: 'NOT_FOUND', message: PURCHASE.notFound },
  })
  await buyer.order()
  expect(await activate()).toMatchObject({
    status: 200,
    body: { status: 'pending', message: PURCHASE.confirming },
  })
  expect(await buyer.balance()).toMatchObject({
    subscription: { status: 'inactive' },
    tokens: { total: 0 },
  })
})
