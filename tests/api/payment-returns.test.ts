import { expect, inject, test } from 'vitest'
import { z } from 'zod'
import { MAIN_PLAN, majorAmount } from '../../src/contract/catalogue.ts'
import { RATE_LIMITS } from '../../src/contract/limits.ts'
import { checkoutCallbackEndpoint } from '../../src/contract/webhook.ts'
import { ROUND_TRIPS_OF_JOURNEYS, roundTripsOf } from '../harness/round-trips.ts'
import { type Answer, newVisitor } from '../harness/visitor.ts'
import { newBuyer } from '../harness/fixture/buyer.ts'
import type { CheckoutProof } from '../../src/contract/purchase.ts'
import { controlOf } from '../harness/fixture/razorpay.ts'

const siteUrl = inject('siteUrl')
const razorpay = controlOf(inject('emulatorUrl'))

const CANCEL = '/subscription/cancel'
const REJECTED = { pathname: CANCEL, query: { reason: 'verification_failed' } }

/** Pays an order while its webhooks are lost, so that only the browser reports it. */
async function payQuietly(orderId: string) {
  const match = { order_id: orderId }
  await razorpay.fault({ match, times: null, action: { type: 'lost' } })
  return razorpay.pay(orderId)
}

async function paidOrder() {
  const buyer = await newBuyer(siteUrl)
  return { buyer, proof: await payQuietly((await buyer.order()).order.id) }
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
  expect((await buyer.balance()).tokens.total).toBe(1_000_000)
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

const Link = z.object({
  paymentLink: z.object({
    purchaseId: z.string(),
    url: z.string(),
    amount: z.literal(MAIN_PLAN.priceMinor.USD),
    currency: z.literal('USD'),
  }),
})

test('a payment link that is paid without a session grants the tokens to its owner, and a forged return does not', async () => {
  const buyer = await newBuyer(siteUrl)
  const amount = majorAmount(MAIN_PLAN.priceMinor.USD)
  const order = () =>
    buyer.call('/api/payment/create-payment-link', {
      json: { planType: 'pro', amount, description: 'Pro for the whole year' },
    })
  const { paymentLink: link } = Link.parse((await order()).body)
  expect(Link.parse((await order()).body).paymentLink).toEqual(link)
  const page = await (await fetch(link.url)).text()
  expect(page).toContain('Pro for the whole year')
  const { paymentId } = await payQuietly(/order_EMU\w{11}/.exec(page)?.[0] ?? '')
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
  const { tokens } = await buyer.balance()
  expect(tokens.total, 'tokens of the owner of the link').toBe(1_000_000)
})
