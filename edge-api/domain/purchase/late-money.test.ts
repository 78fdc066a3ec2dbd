import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { MAIN_PLAN } from '../../../src/contract/catalogue.ts'
import { PURCHASE } from '../../../src/contract/messages.ts'
import { cheapHash, createAccount } from '../../../tests/harness/fixture/account.ts'
import { useJobBench } from '../../../tests/harness/fixture/job-bench.ts'
import { PASSWORD } from '../../../tests/harness/user.ts'
import { outcomeOf } from '../../../tests/harness/fixture/purchase.ts'
import { callOf, NO_INPUT, type Fixture } from '../../../tests/harness/fixture/fixture.ts'
import { deleteAccount } from '../data-rights/delete-account.ts'
import type { PaymentGateway } from '../ports/payments.ts'
import { days, hours, minutes } from '../time.ts'
import { auditPayments } from './audit-payments.ts'
import { createOrder } from './create-order.ts'
import { createPaymentLink } from './payment-link.ts'
import { sendPendingRefunds } from './send-pending-refunds.ts'
import { reconcilePurchases } from './reconcile.ts'
import { activateOrderPublic, verifyPayment } from './verify-payment.ts'

const bench = useJobBench()

const body = { planType: MAIN_PLAN.sku, preferredCurrency: 'USD' } as const

/** An account that pays through the emulator's gateway, with these changes. */
async function newShopper(changes: Partial<PaymentGateway> = {}) {
  const fixture = { ...bench.fixture, ctx: () => bench.fixture.ctxWith(changes) }
  const claims = await createAccount(fixture.ctx(), { passwordHash: cheapHash() })
  const call = callOf(claims)
  return {
    fixture,
    claims,
    order: (idempotencyKey: string | null = null) =>
      createOrder(fixture.ctx(), { ...call, body, idempotencyKey }),
    link: async (idempotencyKey: string | null = null) =>
      (await createPaymentLink(fixture.ctx(), { ...call, body, idempotencyKey })).paymentLink,
    verify: async (orderId: string) =>
      verifyPayment(fixture.ctx(), { ...call, body: await bench.razorpay.pay(orderId) }),
    outcome: (purchaseId: string) =>
      outcomeOf(fixture.ctx(), { id: purchaseId, userId: claims.userId }),
  }
}

/** The payment page of a link, as its visitors see it. */
const pageOf = async (url: string) => (await bench.fetch(url)).text()

async function payLink(url: string) {
  const [orderId = ''] = /order_EMU\w{11}/.exec(await pageOf(url)) ?? []
  return bench.razorpay.pay(orderId)
}

/** Runs the jobs at a time when every purchase is due. */
async function runJobs(fixture: Fixture): Promise<void> {
  fixture.advance(minutes(31))
  await reconcilePurchases(fixture.ctx())
  await sendPendingRefunds(fixture.ctx())
}

test('an order is paid at its price for seven days; later it is not handed out, and its money goes back', async () => {
  const { fixture, order, verify, outcome } = await newShopper()
  const [first, second] = [await order('first'), await order('second')]
  expect(second.purchaseId).toBe(first.purchaseId)
  fixture.advance(days(7) + minutes(1))
  await expect(order('first')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
  await verify(first.order.id)
  expect(await outcome(first.purchaseId)).toMatchObject({
    grants: 0,
    pending: [{ reason: 'late', isDone: false }],
  })
  await runJobs(fixture)
  expect(await outcome(first.purchaseId)).toMatchObject({
    status: 'refunded',
    pending: [{ reason: 'late', isDone: true }],
    mails: ['mail-refund'],
  })
  const next = await order()
  await verify(next.order.id)
  expect(await outcome(next.purchaseId)).toMatchObject({ status: 'paid', grants: 1 })
})

test('money for a deleted account goes back, and the address that paid gets a mail', async () => {
  const { fixture, claims, order, outcome } = await newShopper()
  const { purchaseId, order: ordered } = await order()
  await deleteAccount(fixture.ctx(), { ...callOf(claims), body: { password: PASSWORD } })
  const proof = await bench.razorpay.pay(ordered.id, { email: 'payer@example.test' })
  const { paymentId } = proof
  const refunded = { success: true, message: PURCHASE.refunded, status: 'refunded' }
  const signedOut = () => activateOrderPublic(fixture.ctx(), { ...NO_INPUT, body: proof })
  expect(await signedOut()).toEqual(refunded)
  await runJobs(fixture)
  expect(await signedOut()).toEqual(refunded)
  expect(await outcome(purchaseId)).toMatchObject({
    status: 'refunded',
    grants: 0,
    receipts: 0,
    total: 0,
    pending: [{ reason: 'deleted_account', isDone: true }],
  })
  expect(await bench.gateway.refundsOfPayment(paymentId)).toHaveLength(1)
  const mails = await fixture.read(sql`
    SELECT to_address AS "to", user_id AS userId FROM mails
    WHERE kind = 'payment_after_deletion' AND payload ->> 'paymentId' = ${paymentId}`)
  expect(mails).toEqual([{ to: 'payer@example.test', userId: null }])
})

test('a late link that could not be cancelled and is paid unseen is found and refunded', async () => {
  let pay = () => Promise.resolve<unknown>(null)
  const shopper = await newShopper({
    createLink: async (request) => {
      const link = await bench.gateway.createLink(request)
      await pay()
      return link
    },
  })
  const { order, purchaseId } = await shopper.order()
  pay = () => shopper.verify(order.id)
  await bench.razorpay.fail('/v1/payment_links/*/cancel')
  await expect(shopper.link()).rejects.toMatchObject({ code: 'PLAN_ALREADY_ACTIVE' })
  await shopper.fixture.drain()
  const { paymentId } = await payLink(await urlOfLink(shopper.fixture, order.id))
  await runJobs(shopper.fixture)
  expect(await shopper.outcome(purchaseId)).toMatchObject({
    status: 'paid',
    grants: 1,
    pending: [{ reason: 'excess', isDone: true }],
  })
  expect(await bench.gateway.refundsOfPayment(paymentId)).toHaveLength(1)
})

test('money on a link that ended unseen is found, though the order was verified before a job ran', async () => {
  const { fixture, claims, order, link, outcome } = await newShopper()
  const { order: ordered, purchaseId } = await order()
  const { url } = await link()
  await bench.razorpay.fail('/v1/payment_links/*/cancel')
  const { paymentId } = await payLink(url)
  const paid = await bench.razorpay.pay(ordered.id)
  fixture.advance(hours(26))
  await verifyPayment(fixture.ctx(), { ...callOf(claims), body: paid })
  expect(await outcome(purchaseId)).toMatchObject({ status: 'paid', pending: [] })
  await runJobs(fixture)
  expect(await outcome(purchaseId)).toMatchObject({
    status: 'paid',
    nextCheckAt: null,
    pending: [{ reason: 'excess', isDone: true }],
  })
  expect(await bench.gateway.refundsOfPayment(paymentId)).toHaveLength(1)
})

test('the audit finds money on a link whose creation was never confirmed, by its receipt', async () => {
  const { fixture, order, verify, outcome } = await newShopper()
  const { purchaseId, order: ordered } = await order()
  await verify(ordered.id)
  const { url } = await bench.gateway.createLink({
    purchaseId,
    amountMinor: ordered.amount,
    currency: 'USD',
    description: 'Pro',
    callbackUrl: 'http://localhost:8787/api/payment/link-callback',
    expiresAt: fixture.now() + hours(24),
  })
  const { paymentId } = await payLink(url)
  fixture.advance(minutes(5))
  await auditPayments(fixture.ctx(), { since: fixture.now() - hours(1) })
  expect(fixture.alerts).toContainEqual({
    event: 'the audit found a payment unaccounted for',
    fields: expect.objectContaining({ paymentId }),
  })
  expect(await outcome(purchaseId)).toMatchObject({
    status: 'paid',
    pending: [{ reason: 'excess', isDone: false }],
  })
})

async function urlOfLink(fixture: Fixture, orderId: string): Promise<string> {
  const [row] = await fixture.read<{ url: string }>(sql`
    SELECT link_url AS url FROM purchases WHERE razorpay_order_id = ${orderId}`)
  return row?.url ?? ''
}
