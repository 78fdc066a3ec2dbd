import { expect, inject, test } from 'vitest'
import { PURCHASE } from '../../src/contract/messages.ts'
import { newBuyer } from '../harness/world/buyer.ts'
import { controlOf } from '../harness/world/razorpay.ts'

const siteUrl = inject('siteUrl')
const razorpay = controlOf(inject('emulatorUrl'))

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
