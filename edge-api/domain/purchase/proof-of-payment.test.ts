import { createHmac } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { MAIN_PLAN } from '../../../src/contract/catalogue.ts'
import { PURCHASE, TOAST } from '../../../src/contract/messages.ts'
import { testSecrets } from '#harness/services.ts'
import { createAccount } from '#harness/fixture/account.ts'
import { useJobBench } from '#harness/fixture/job-bench.ts'
import { outcomeOf } from '#harness/fixture/purchase.ts'
import { unpaidState } from '#harness/fixture/core-state.ts'
import { callOf, createFixture, NO_INPUT } from '#harness/fixture/fixture.ts'
import { deleteAccount } from '../data-rights/delete-account.ts'
import { hours, minutes, seconds } from '../time.ts'
import { createOrder } from './create-order.ts'
import { createPaymentLink } from './payment-link.ts'
import { paymentStatus, settlementOf } from './purchase.ts'
import { listPurchases } from './purchase-history.ts'
import { reconcilePurchases } from './reconcile.ts'
import { sendPendingRefunds } from './send-pending-refunds.ts'
import { returnFromCheckout, returnFromLink } from './return-from-payment.ts'
import { activateOrderPublic, activateSubscription, verifyPayment } from './verify-payment.ts'

const bench = useJobBench()

const body = { planType: MAIN_PLAN.sku, preferredCurrency: 'USD' } as const
const FORGED = 'a'.repeat(64)

async function newShopper(fixture = bench.fixture) {
  const claims = await createAccount(fixture.ctx())
  const call = callOf(claims)
  return {
    fixture,
    call,
    order: async (preferredCurrency: 'USD' | 'INR' = 'USD') => {
      const asked = { ...call, body: { ...body, preferredCurrency } }
      const { order, purchaseId } = await createOrder(fixture.ctx(), asked)
      return { orderId: order.id, purchaseId }
    },
    verify: (body: { orderId: string; paymentId: string; signature: string }) =>
      verifyPayment(fixture.ctx(), { ...call, body }),
    /** Without a session. */
    publicly: (body: { orderId: string; paymentId: string; signature: string }) =>
      activateOrderPublic(fixture.ctx(), { ...NO_INPUT, body }),
    outcome: (purchaseId: string) =>
      outcomeOf(fixture.ctx(), { id: purchaseId, userId: claims.userId }),
    status: async (id: string) => {
      const { payment } = await paymentStatus(fixture.ctx(), { ...call, params: { id } })
      return `${payment.status}: ${payment.settlement}`
    },
    runJob: async () => {
      fixture.advance(minutes(2))
      await reconcilePurchases(fixture.ctx())
    },
  }
}

const PAID = { success: true, message: TOAST.paymentVerified, status: 'paid' }
const CONFIRMING = { success: true, message: PURCHASE.confirming, status: 'pending' }
const REFUNDED = { success: true, message: PURCHASE.refunded, status: 'refunded' }

/** A signature with our key, which only Razorpay and we can make. */
function sign(orderId: string, paymentId: string): string {
  const secret = testSecrets.RAZORPAY_KEY_SECRET
  return createHmac('sha256', secret).update(`${orderId}|${paymentId}`).digest('hex')
}

const decline = (orderId: string) =>
  bench.razorpay.send('POST', '/payments', {
    order_id: orderId,
    method: 'card',
    outcome: 'failure',
  })

const countOfRequests = async (about = '/v1/') =>
  (await bench.razorpay.requests()).filter(({ path }) => path.includes(about)).length

test('the order of another user is unknown and a forged proof rejected, and neither grants anything', async () => {
  const shopper = await newShopper()
  const thief = await newShopper(shopper.fixture)
  const { orderId, purchaseId } = await shopper.order()
  const proof = await bench.razorpay.pay(orderId)
  await expect(thief.verify(proof)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const forged = { ...proof, signature: FORGED }
  await expect(shopper.verify(forged)).rejects.toMatchObject({ code: 'SIGNATURE_INVALID' })
  expect(await shopper.outcome(purchaseId)).toMatchObject({ grants: 0 })
})

test('a genuine proof pays, and a repetition says so without asking Razorpay again', async () => {
  const { order, verify, outcome } = await newShopper()
  const { orderId, purchaseId } = await order()
  const proof = await bench.razorpay.pay(orderId)
  expect(await verify(proof)).toEqual(PAID)
  const asked = await countOfRequests()
  expect(await verify(proof)).toEqual(PAID)
  expect(await countOfRequests()).toBe(asked)
  expect(await outcome(purchaseId)).toMatchObject({ status: 'paid', grants: 1 })
})

test('an authorized payment that is known already is asked about again, because it may be captured by now', async () => {
  const { order, verify, outcome } = await newShopper()
  const { orderId, purchaseId } = await order()
  const proof = await bench.razorpay.pay(orderId, { outcome: 'authorize_only' })
  expect(await verify(proof)).toMatchObject({ status: 'pending' })
  const amountMinor = MAIN_PLAN.priceMinor.USD
  await bench.gateway.capture({ paymentId: proof.paymentId, amountMinor, currency: 'USD' })
  expect(await verify(proof)).toMatchObject({ status: 'paid' })
  expect(await outcome(purchaseId)).toMatchObject({ grants: 1 })
})

test('while Razorpay does not answer, a proof says that something was paid, and lets the job ask within a minute, and no later than it would', async () => {
  const { fixture, order, verify, outcome, status } = await newShopper()
  const { orderId, purchaseId } = await order()
  fixture.advance(hours(2))
  await reconcilePurchases(fixture.ctx())
  expect((await outcome(purchaseId)).nextCheckAt).toBe(fixture.now() + hours(1))
  const proof = await bench.razorpay.pay(orderId)
  await bench.razorpay.fail()
  const soon = fixture.now() + minutes(1)
  expect(await status(purchaseId)).toBe('open: pending')
  expect(await verify(proof)).toMatchObject({ status: 'pending', message: PURCHASE.confirming })
  // The page of an open purchase says that no payment has arrived.
  expect(await status(purchaseId)).toBe('attempted: pending')
  expect((await outcome(purchaseId)).nextCheckAt).toBe(soon)
  fixture.advance(1_000)
  await verify(proof)
  expect((await outcome(purchaseId)).nextCheckAt).toBe(soon)
})

test('asking for the latest purchases finds the one that was paid, whatever became of the newest', async () => {
  const { fixture, call, order, outcome } = await newShopper()
  const activate = () => activateSubscription(fixture.ctx(), call)
  await expect(activate()).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const older = await order('USD')
  fixture.advance(1_000)
  const newest = await order('INR')
  expect(await activate()).toMatchObject({ status: 'pending', message: PURCHASE.confirming })
  await decline(newest.orderId)
  fixture.advance(seconds(2))
  expect(await activate()).toMatchObject({ status: 'failed', message: PURCHASE.notPaid })
  await bench.razorpay.pay(older.orderId)
  fixture.advance(seconds(2))
  expect(await activate()).toMatchObject({ status: 'paid', message: TOAST.paymentVerified })
  expect(await outcome(older.purchaseId)).toMatchObject({ status: 'paid', grants: 1 })
  const asked = await countOfRequests(older.orderId)
  await activate()
  expect(await countOfRequests(older.orderId)).toBe(asked)
})

test('however often an account asks, Razorpay is asked about an order every two seconds and for an account twelve times a minute', async () => {
  const { fixture, call, order, verify } = await newShopper()
  const orders = [await order('USD'), await order('INR')]
  const askedAbout = async () =>
    (await countOfRequests(orders[0]?.orderId)) + (await countOfRequests(orders[1]?.orderId))
  const activate = (times: number) =>
    Promise.all(Array.from({ length: times }, () => activateSubscription(fixture.ctx(), call)))
  const before = await askedAbout()
  await activate(10)
  const each = (await askedAbout()) - before
  expect(each).toBe(2)
  for (let round = 0; round < 10; round += 1) {
    fixture.advance(seconds(2))
    await activate(2)
  }
  expect((await askedAbout()) - before).toBe(12)
  // A signature is always a reason to ask.
  const paid = await bench.razorpay.pay(orders[0]?.orderId ?? '')
  expect(await verify(paid)).toMatchObject({ status: 'paid' })
})

test('a genuine proof of an order grants its owner the tokens, also without a session', async () => {
  const { order, outcome, publicly } = await newShopper()
  const { orderId, purchaseId } = await order()
  const proof = await bench.razorpay.pay(orderId)
  const unknown = 'order_EMU00000000000'
  const signature = sign(unknown, proof.paymentId)
  expect(await publicly({ ...proof, signature: FORGED })).toEqual(CONFIRMING)
  expect(await publicly({ ...proof, orderId: unknown, signature })).toEqual(CONFIRMING)
  expect(await outcome(purchaseId)).toMatchObject({ grants: 0 })
  expect(await publicly(proof)).toEqual(PAID)
})

test('money for a deleted account is refunded, and the address that paid gets a mail', async () => {
  const { fixture, call, order, publicly } = await newShopper()
  const { orderId } = await order()
  await deleteAccount(fixture.ctx(), { ...call, body: {} })
  const proof = await bench.razorpay.pay(orderId, { email: 'payer@example.test' })
  for (let times = 0; times < 2; times += 1) expect(await publicly(proof)).toEqual(REFUNDED)
  const mails = await fixture.read(sql`
    SELECT to_address AS "to", user_id AS userId FROM mails
    WHERE kind = 'payment_after_deletion' AND payload ->> 'paymentId' = ${proof.paymentId}`)
  expect(mails).toEqual([{ to: 'payer@example.test', userId: null }])
})

test('money on a link that ended unseen is found and refunded, though the order was verified before a job ran', async () => {
  const { fixture, call, order, verify, outcome, runJob } = await newShopper()
  const { orderId, purchaseId } = await order()
  const { paymentLink } = await createPaymentLink(fixture.ctx(), { ...call, body })
  await bench.payLink(paymentLink.url)
  const proof = await bench.razorpay.pay(orderId)
  fixture.advance(hours(26))
  await verify(proof)
  expect(await outcome(purchaseId)).toMatchObject({ status: 'paid', pending: [] })
  await runJob()
  await sendPendingRefunds(fixture.ctx())
  const pending = [{ reason: 'excess', isDone: true }]
  expect(await outcome(purchaseId)).toMatchObject({ status: 'paid', nextCheckAt: null, pending })
})

test('a declined payment shows its error and its id, as far as they can be read', async () => {
  const { fixture } = await newShopper()
  const paymentId = 'pay_EMUabcdefghijk'
  const back = (form: Parameters<typeof returnFromCheckout>[1]) =>
    returnFromCheckout(fixture.ctx(), form)
  const page = new URLSearchParams({
    reason: 'payment_not_captured',
    payment_id: paymentId,
    error: 'The bank declined',
  })
  const error = { 'error[description]': 'The bank declined' }
  expect(
    await back({ ...error, 'error[metadata]': JSON.stringify({ payment_id: paymentId }) }),
  ).toBe(`/subscription/cancel?${page}`)
  page.delete('payment_id')
  expect(await back({ ...error, 'error[metadata]': 'no JSON' })).toBe(
    `/subscription/cancel?${page}`,
  )
})

test('without a database a forged return shows an error, not that nothing was paid', async () => {
  const { fixture } = await newShopper()
  const ctx = fixture.ctx()
  const payments = {
    ...ctx.payments,
    isCheckoutSignature: () => Promise.reject(new Error('no secret')),
  }
  const form = {
    razorpay_order_id: 'order_EMUabcdefghijk',
    razorpay_payment_id: 'pay_EMUabcdefghijk',
    razorpay_signature: FORGED,
  }
  expect(await returnFromCheckout({ ...ctx, payments }, form)).toBe(
    '/subscription/cancel?reason=processing_error&payment_id=pay_EMUabcdefghijk',
  )
  expect(fixture.errors).toMatchObject([{ event: 'the return from a payment failed' }])
})

test('a payment through a link while Razorpay does not answer is being confirmed, also after a declined one', async () => {
  const { fixture, call, order, status, runJob } = await newShopper()
  await decline((await order()).orderId)
  await runJob()
  const { paymentLink: link } = await createPaymentLink(fixture.ctx(), { ...call, body })
  expect(await status(link.purchaseId)).toBe('attempted: failed')
  const { paymentId } = await bench.payLink(link.url)
  const done = await bench.fetch(`${link.url}/done?payment_id=${paymentId}`, { redirect: 'manual' })
  const { searchParams } = new URL(done.headers.get('location') ?? '')
  await bench.razorpay.fail()
  const back = await returnFromLink(fixture.ctx(), Object.fromEntries(searchParams))
  expect(back).toBe(
    `/subscription/success?payment_id=${paymentId}&subscription_id=${link.purchaseId}`,
  )
  expect(await status(link.purchaseId)).toBe('attempted: pending')
  expect(await activateSubscription(fixture.ctx(), call)).toMatchObject({ status: 'pending' })
  await bench.razorpay.clearFaults()
  await runJob()
  expect(await status(link.purchaseId)).toBe('paid: paid')
})

test('a genuine signature leads to the success page although the database does not answer', async () => {
  const { fixture, order } = await newShopper()
  const { orderId, paymentId, signature } = await bench.razorpay.pay((await order()).orderId)
  const form = {
    razorpay_order_id: orderId,
    razorpay_payment_id: paymentId,
    razorpay_signature: signature,
  }
  const { db } = createFixture({ databaseUrl: 'http://127.0.0.1:9' }).ctx()
  const ctx = { ...fixture.ctx(), db }
  expect(await returnFromCheckout(ctx, form)).toContain('/subscription/success?')
  const forged = { ...form, razorpay_signature: FORGED }
  expect(await returnFromCheckout(ctx, forged)).toBe(
    '/subscription/cancel?reason=verification_failed',
  )
})

test('a payment that was authorized, verified and then sent back is shown as refunded, and promises nothing', async () => {
  const { order, verify, publicly, call, fixture, status } = await newShopper()
  const { orderId, purchaseId } = await order()
  const proof = await bench.razorpay.pay(orderId, { outcome: 'authorize_only' })
  expect(await verify(proof)).toMatchObject({ status: 'pending' })
  await bench.razorpay.send('POST', `/payments/${proof.paymentId}/auto_refund`)
  fixture.advance(minutes(2))
  expect(await verify(proof)).toMatchObject({ status: 'failed' })
  expect(await status(purchaseId)).toBe('attempted: failed')
  expect(await verify(proof)).toMatchObject({ status: 'failed' })
  const { purchases } = await listPurchases(fixture.ctx(), { ...call, query: { limit: 5 } })
  expect(purchases).toMatchObject([{ state: 'refunded', amountRefunded: MAIN_PLAN.priceMinor.USD }])
  expect(await publicly(proof)).toEqual(REFUNDED)
})

test.each(['attempted', 'expired'] as const)(
  'an order that is %s has failed, but is pending once a signature proved a payment',
  (status) => {
    const { purchase } = unpaidState()
    expect(settlementOf({ ...purchase, status })).toBe('failed')
    expect(settlementOf({ ...purchase, status, verifiedAt: 1 })).toBe('pending')
  },
)
