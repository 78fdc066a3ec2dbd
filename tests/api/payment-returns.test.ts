import { expect, inject, test } from 'vitest'
import { meEndpoint } from '../../src/contract/account.ts'
import { MAIN_PLAN, majorAmount } from '../../src/contract/catalogue.ts'
import { RATE_LIMITS } from '../../src/contract/limits.ts'
import {
  type CheckoutProof,
  createOrderEndpoint,
  createPaymentLinkEndpoint,
} from '../../src/contract/purchase.ts'
import { checkoutCallbackEndpoint } from '../../src/contract/webhook.ts'
import { askGood } from '../harness/ask.ts'
import { createUser } from '../harness/user.ts'
import { ROUND_TRIPS_OF_JOURNEYS, roundTripsOf } from '../harness/round-trips.ts'
import { type Answer, newVisitor } from '../harness/visitor.ts'
import { controlOf } from '../harness/fixture/razorpay.ts'

const siteUrl = inject('siteUrl')
const razorpay = controlOf(inject('emulatorUrl'))

const CANCEL = '/subscription/cancel'
const REJECTED = { pathname: CANCEL, query: { reason: 'verification_failed' } }

async function paidOrder() {
  const buyer = await createUser()
  const { order } = await askGood(buyer, createOrderEndpoint, { body: { planType: 'pro' } })
  return { buyer, proof: await razorpay.payQuietly(order.id) }
}

/** Where the answer leads. */
function placeOf({ status, headers }: Answer) {
  expect(status).toBe(303)
  const { pathname, searchParams } = new URL(headers.get('location') ?? '', siteUrl)
  return { pathname, query: Object.fromEntries(searchParams) }
}

const formOf = ({ orderId, paymentId, signature }: CheckoutProof) => ({
  razorpay_payment_id: paymentId,
  razorpay_order_id: orderId,
  razorpay_signature: signature,
})

/** Posts the form as Razorpay's page makes a browser do it: cross-site and without our session. */
async function post(form: Record<string, string>, visitor = newVisitor(siteUrl)) {
  const answer = await visitor.call(checkoutCallbackEndpoint.path, {
    text: new URLSearchParams(form).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://api.razorpay.com',
      'sec-fetch-site': 'cross-site',
    },
  })
  expect(roundTripsOf(answer)).toBeLessThanOrEqual(ROUND_TRIPS_OF_JOURNEYS.checkoutCallback)
  return placeOf(answer)
}

test('the form that the checkout posts from another site, without a session, settles the purchase', async () => {
  const { buyer, proof } = await paidOrder()
  const { paymentId, orderId, signature } = proof
  const query = { payment_id: paymentId, order_id: orderId, signature }
  const success = { pathname: '/subscription/success', query }
  expect(await post(formOf(proof))).toEqual(success)
  expect(await post(formOf(proof))).toEqual(success)
  expect((await askGood(buyer, meEndpoint)).user.tokens.total).toBe(1_000_000)
})

test('a form without fields and one with a field that is too long lead to the cancel page', async () => {
  expect(await post({})).toEqual(REJECTED)
  expect(await post({ razorpay_payment_id: 'a'.repeat(500) })).toEqual(REJECTED)
})

test('a browser beyond the rate limit is led to the cancel page with a reason', async () => {
  const visitor = newVisitor(siteUrl)
  // Twice the limit and one more, because the calls may fall into two minutes.
  const count = 2 * RATE_LIMITS.activation + 1
  const places = await Promise.all(Array.from({ length: count }, () => post({}, visitor)))
  expect(places).toContainEqual({ pathname: CANCEL, query: { reason: 'processing_error' } })
})

test('a payment link that is paid without a session grants the tokens to its owner, and a forged return does not', async () => {
  const buyer = await createUser()
  const { USD } = MAIN_PLAN.priceMinor
  const body = { planType: 'pro', amount: majorAmount(USD), description: 'Pro for the whole year' }
  const order = async () => (await askGood(buyer, createPaymentLinkEndpoint, { body })).paymentLink
  const link = await order()
  expect(link).toMatchObject({ amount: USD, currency: 'USD' })
  expect(await order()).toEqual(link)
  const page = await (await fetch(link.url)).text()
  expect(page).toContain('Pro for the whole year')
  const { paymentId } = await razorpay.payQuietly(/order_EMU\w{11}/.exec(page)?.[0] ?? '')
  const done = await fetch(`${link.url}/done?payment_id=${paymentId}`, { redirect: 'manual' })
  const back = new URL(done.headers.get('location') ?? '')
  const follow = async ({ pathname, search }: URL) => {
    const answer = await newVisitor(siteUrl).call(`${pathname}${search}`)
    expect(roundTripsOf(answer)).toBeLessThanOrEqual(ROUND_TRIPS_OF_JOURNEYS.paymentLinkCallback)
    return placeOf(answer)
  }
  const forged = new URL(back)
  forged.searchParams.set('razorpay_signature', 'a'.repeat(64))
  const invented = new URL('/api/payment/link-callback?razorpay_payment_link_status=paid', back)
  expect(await follow(forged), 'a return with a forged signature').toEqual(REJECTED)
  expect(await follow(invented), 'a return with a status and no signature').toEqual(REJECTED)
  expect(await follow(back), 'the return of the buyer who paid the link').toEqual({
    pathname: '/subscription/success',
    query: { subscription_id: link.purchaseId, payment_id: paymentId },
  })
  const { tokens } = (await askGood(buyer, meEndpoint)).user
  expect(tokens.total, 'tokens of the owner of the link').toBe(1_000_000)
})
