import { expect, inject, test } from 'vitest'
import {
  activateOrderPublicEndpoint,
  activateSubscriptionEndpoint,
  activateTokenPurchaseEndpoint,
  createOrderEndpoint,
  createPaymentLinkEndpoint,
  createSubscriptionEndpoint,
  createTokenOrderEndpoint,
  paymentStatusEndpoint,
  verifyPaymentEndpoint,
} from '../../src/contract/purchase.ts'
import { currentSubscriptionEndpoint } from '../../src/contract/subscription.ts'
import { ask, askGood, bad } from '../harness/ask.ts'
import { createMember } from '../harness/member.ts'
import { newVisitor } from '../harness/visitor.ts'
import { controlOf } from '../harness/world/razorpay-control.ts'

const visitor = () => newVisitor(inject('siteUrl'))
const razorpay = controlOf(inject('emulatorUrl'))

test('spec 7, create-order, verify-payment, status: an order of 3500 cents, UPI only for INR', async () => {
  const buyer = await createMember()
  const body = { planType: 'pro', amount: 35, preferredCurrency: 'USD' } as const
  const { order, upiEnabled, purchaseId } = await askGood(buyer, createOrderEndpoint, { body })
  expect(order).toMatchObject({ amount: 3_500, currency: 'USD' })
  expect(upiEnabled).toBe(false)
  const triple = await razorpay.pay(order.id)
  const paid = await askGood(buyer, verifyPaymentEndpoint, { body: { ...triple, planType: 'pro' } })
  expect(paid.message).toBe('Payment verified successfully!')
  const params = { id: purchaseId }
  const { payment } = await askGood(buyer, paymentStatusEndpoint, { params })
  expect(payment).toMatchObject({ status: 'paid', settlement: 'paid', amount: 3_500 })
  const other = await createMember()
  const inRupees = await askGood(other, createOrderEndpoint, {
    body: { planType: 'pro', preferredCurrency: 'INR' },
  })
  expect(inRupees).toMatchObject({ upiEnabled: true, order: { amount: 299_900, currency: 'INR' } })
})

test('spec 5, plan purchase: "Invalid plan type: …"', async () => {
  const buyer = await createMember()
  for (const planType of ['gold', 'constructor', '__proto__', '']) {
    const answer = await ask(buyer, createOrderEndpoint, { body: { planType } })
    expect(bad(answer)).toMatchObject({
      status: 400,
      code: 'INVALID_PLAN_TYPE',
      message: `Invalid plan type: ${planType}`,
    })
  }
})

test('spec 7, create-subscription and activate-subscription-immediate', async () => {
  const buyer = await createMember()
  const body = { planType: 'pro' }
  const { subscription } = await askGood(buyer, createSubscriptionEndpoint, { body })
  expect(subscription).toMatchObject({ planName: 'Pro', order: { amount: 3_500 } })
  expect(subscription.razorpayKeyId).toMatch(/^rzp_test_/)
  await razorpay.pay(subscription.order.id)
  expect(await askGood(buyer, activateSubscriptionEndpoint)).toMatchObject({ status: 'paid' })
})

test('spec 7, create-token-order and activate-token-purchase: a pack, only with a plan', async () => {
  const without = await ask(await createMember(), createTokenOrderEndpoint, { body: {} })
  expect(bad(without)).toMatchObject({ status: 403, code: 'PLAN_REQUIRED' })
  const buyer = await createMember({ hasPlan: true })
  const { order } = await askGood(buyer, createTokenOrderEndpoint, { body: { currency: 'USD' } })
  expect(order).toMatchObject({ amount: 2_500, currency: 'USD' })
  const body = await razorpay.pay(order.id)
  const done = await askGood(buyer, activateTokenPurchaseEndpoint, { body })
  expect(done.message).toBe(
    'Tokens purchased successfully! 1,000,000 tokens have been added to your account.',
  )
  expect((await askGood(buyer, currentSubscriptionEndpoint)).tokens.total).toBe(2_000_000)
})

test("spec 7, activate-order-public: no session, and the grant goes to the order's owner", async () => {
  const buyer = await createMember()
  const { order } = await askGood(buyer, createOrderEndpoint, { body: { planType: 'pro' } })
  const body = await razorpay.pay(order.id)
  await askGood(visitor(), activateOrderPublicEndpoint, { body })
  expect((await askGood(buyer, currentSubscriptionEndpoint)).tokens.total).toBe(1_000_000)
})

test('spec 7, create-payment-link: a page to pay at', async () => {
  const buyer = await createMember()
  const body = { planType: 'pro', amount: 35, description: 'Pro for me' }
  const { paymentLink } = await askGood(buyer, createPaymentLinkEndpoint, { body })
  expect(paymentLink).toMatchObject({ amount: 3_500, currency: 'USD' })
  expect(paymentLink.url).toMatch(/^http:\/\/localhost:/)
  expect(await (await fetch(paymentLink.url)).text()).toContain('Pro for me')
})
