import { afterAll, beforeAll, expect, test } from 'vitest'
import { RATE_LIMITS } from '../../src/contract/limits.ts'
import { checkoutCallbackEndpoint } from '../../src/contract/webhook.ts'
import { startSite, type Site } from '../harness/services.ts'
import { TRIPS_OF_JOURNEYS, tripsOf } from '../harness/trips.ts'
import { newVisitor, type Visitor } from '../harness/visitor.ts'
import { newBuyer, type Buyer } from '../harness/world/buyer.ts'
import { controlOf, type RazorpayControl, type Triple } from '../harness/world/razorpay.ts'

let site: Site
let razorpay: RazorpayControl

beforeAll(async () => {
  site = await startSite()
  razorpay = controlOf(site.emulator.url)
})
afterAll(() => site.stop())

const tokensOf = async (buyer: Buyer) => (await buyer.balance()).tokens.total

/** A buyer whose order is paid while every webhook is lost, so that only the browser reports it. */
async function paidOrder() {
  const buyer = await newBuyer(site.worker.url, site.sqld.url)
  const { order } = await buyer.order()
  await razorpay.fault({ times: 3, action: { type: 'lost' } })
  const triple = await razorpay.pay(order.id)
  return { buyer, triple }
}

const formOf = ({ orderId, paymentId, signature }: Triple) => ({
  razorpay_payment_id: paymentId,
  razorpay_order_id: orderId,
  razorpay_signature: signature,
})

/** Posts the form as the provider's page makes a browser do it: cross-site and without our session. */
async function post(form: Record<string, string>, visitor: Visitor = newVisitor(site.worker.url)) {
  const answer = await visitor.call(checkoutCallbackEndpoint.path, {
    text: new URLSearchParams(form).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://api.razorpay.com',
      'sec-fetch-site': 'cross-site',
    },
  })
  expect(answer.status).toBe(303)
  expect(tripsOf(answer)).toBeLessThanOrEqual(TRIPS_OF_JOURNEYS.checkoutCallback)
  const { pathname, searchParams } = new URL(answer.headers.get('location') ?? '', site.worker.url)
  return { pathname, query: Object.fromEntries(searchParams) }
}

const CANCEL = '/subscription/cancel'

test('the form that the checkout posts from another site, without a session, settles the purchase', async () => {
  const { buyer, triple } = await paidOrder()
  const success = {
    pathname: '/subscription/success',
    query: {
      payment_id: triple.paymentId,
      order_id: triple.orderId,
      signature: triple.signature,
    },
  }
  expect(await post(formOf(triple))).toEqual(success)
  expect(await tokensOf(buyer)).toBe(1_000_000)
  const again = await Promise.all([1, 2, 3].map(() => post(formOf(triple))))
  expect(again).toEqual([success, success, success])
  expect(await tokensOf(buyer)).toBe(1_000_000)
  await razorpay.clearFaults()
})

test('a forged signature, or one of another order, is refused', async () => {
  const { buyer, triple } = await paidOrder()
  const { buyer: other, triple: foreign } = await paidOrder()
  const refused = { pathname: CANCEL, query: { reason: 'verification_failed' } }
  for (const changed of [
    { ...triple, signature: 'a'.repeat(64) },
    { ...triple, signature: triple.signature.toUpperCase() },
    { ...triple, signature: foreign.signature },
    { ...triple, orderId: foreign.orderId },
    { ...triple, paymentId: foreign.paymentId },
    { ...triple, orderId: 'order_EMU00000000000' },
    { ...triple, orderId: 'order_x/../../settlements' },
  ]) {
    expect(await post(formOf(changed))).toEqual(refused)
  }
  expect(await tokensOf(buyer)).toBe(0)
  expect(await tokensOf(other)).toBe(0)
  await razorpay.clearFaults()
})

test('the tokens go to the owner of the order, whoever posts the form', async () => {
  const { buyer, triple } = await paidOrder()
  const stranger = await newBuyer(site.worker.url, site.sqld.url)
  const { pathname } = await post(formOf(triple), { address: '', call: stranger.call })
  expect(pathname).toBe('/subscription/success')
  expect(await tokensOf(stranger)).toBe(0)
  expect(await tokensOf(buyer)).toBe(1_000_000)
  await razorpay.clearFaults()
})

test("a declined payment grants nothing and shows the provider's reason", async () => {
  const buyer = await newBuyer(site.worker.url, site.sqld.url)
  const { order } = await buyer.order()
  const failure = {
    'error[code]': 'BAD_REQUEST_ERROR',
    'error[description]': 'The payment was declined by the bank.',
    'error[source]': 'issuer_bank',
    'error[step]': 'payment_authorization',
    'error[reason]': 'card_declined',
  }
  const metadata = JSON.stringify({ payment_id: 'pay_EMU00000000000', order_id: order.id })
  const query = { reason: 'payment_not_captured', error: failure['error[description]'] }
  expect(await post({ ...failure, 'error[metadata]': metadata })).toEqual({
    pathname: CANCEL,
    query: { ...query, payment_id: 'pay_EMU00000000000' },
  })
  for (const wrong of ['', '{', '[]', '{"payment_id":"<b>"}']) {
    expect((await post({ ...failure, 'error[metadata]': wrong })).query).toEqual(query)
  }
  expect(await buyer.stateOf(order.id)).toMatchObject({ settlement: 'pending' })
})

test('while the provider is unavailable the buyer still lands on the success page, and is paid later', async () => {
  const { buyer, triple } = await paidOrder()
  await razorpay.fault({
    match: { method: 'GET' },
    times: 9,
    action: { type: 'status', code: 503 },
  })
  expect((await post(formOf(triple))).pathname).toBe('/subscription/success')
  expect(await tokensOf(buyer)).toBe(0)
  await razorpay.clearFaults()
  await post(formOf(triple))
  expect(await tokensOf(buyer)).toBe(1_000_000)
})

test('a malformed form and one beyond the rate limit both redirect to the cancel page with a reason', async () => {
  const refused = { pathname: CANCEL, query: { reason: 'verification_failed' } }
  const visitor = newVisitor(site.worker.url)
  expect(await post({}, visitor)).toEqual(refused)
  expect(await post({ razorpay_payment_id: 'a'.repeat(500) }, visitor)).toEqual(refused)
  const rest = Array.from({ length: RATE_LIMITS.activation }, () => post({}, visitor))
  expect(await Promise.all(rest)).toContainEqual({
    pathname: CANCEL,
    query: { reason: 'processing_error' },
  })
})
