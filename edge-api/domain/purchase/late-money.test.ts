import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { MAIN_PLAN } from '../../../src/contract/catalogue.ts'
import { PURCHASE } from '../../../src/contract/messages.ts'
import { cheapHash, createAccount } from '../../../tests/harness/world/account.ts'
import { useJobBench } from '../../../tests/harness/world/job-bench.ts'
import { PASSWORD } from '../../../tests/harness/member.ts'
import { outcomeOf } from '../../../tests/harness/world/purchase.ts'
import { callOf, NO_INPUT, type World } from '../../../tests/harness/world/world.ts'
import { deleteAccount } from '../account/delete-account.ts'
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
  const world = { ...bench.world, ctx: () => bench.world.ctxWith(changes) }
  const claims = await createAccount(world.ctx(), { passwordHash: cheapHash() })
  const call = callOf(claims)
  return {
    world,
    claims,
    order: (idempotencyKey: string | null = null) =>
      createOrder(world.ctx(), { ...call, body, idempotencyKey }),
    link: async (idempotencyKey: string | null = null) =>
      (await createPaymentLink(world.ctx(), { ...call, body, idempotencyKey })).paymentLink,
    verify: async (orderId: string) =>
      verifyPayment(world.ctx(), { ...call, body: await bench.razorpay.pay(orderId) }),
    outcome: (purchaseId: string) =>
      outcomeOf(world.ctx(), { id: purchaseId, userId: claims.userId }),
  }
}

/** The payment page of a link, as its visitors see it. */
const pageOf = async (url: string) => (await bench.fetch(url)).text()

async function payLink(url: string) {
  const [orderId = ''] = /order_EMU\w{11}/.exec(await pageOf(url)) ?? []
  return bench.razorpay.pay(orderId)
}

/** Runs the jobs at a time when every purchase is due. */
async function runJobs(world: World): Promise<void> {
  world.advance(minutes(31))
  await reconcilePurchases(world.ctx())
  await sendPendingRefunds(world.ctx())
}

test('an order is paid at its price for seven days; later it is not handed out, and its money goes back', async () => {
  const { world, order, verify, outcome } = await newShopper()
  const [first, second] = [await order('first'), await order('second')]
  expect(second.purchaseId).toBe(first.purchaseId)
  world.advance(days(7) + minutes(1))
  await expect(order('first')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
  await verify(first.order.id)
  expect(await outcome(first.purchaseId)).toMatchObject({
    grants: 0,
    owed: [{ reason: 'late', isDone: false }],
  })
  await runJobs(world)
  expect(await outcome(first.purchaseId)).toMatchObject({
    status: 'refunded',
    owed: [{ reason: 'late', isDone: true }],
    mails: ['mail-refund'],
  })
  const next = await order()
  await verify(next.order.id)
  expect(await outcome(next.purchaseId)).toMatchObject({ status: 'paid', grants: 1 })
})

test('money for a deleted account goes back, and the address that paid gets a mail', async () => {
  const { world, claims, order, outcome } = await newShopper()
  const { purchaseId, order: ordered } = await order()
  await deleteAccount(world.ctx(), { ...callOf(claims), body: { password: PASSWORD } })
  const proof = await bench.razorpay.pay(ordered.id, { email: 'payer@example.test' })
  const { paymentId } = proof
  const refunded = { success: true, message: PURCHASE.refunded, status: 'refunded' }
  const signedOut = () => activateOrderPublic(world.ctx(), { ...NO_INPUT, body: proof })
  expect(await signedOut()).toEqual(refunded)
  await runJobs(world)
  expect(await signedOut()).toEqual(refunded)
  expect(await outcome(purchaseId)).toMatchObject({
    status: 'refunded',
    grants: 0,
    receipts: 0,
    total: 0,
    owed: [{ reason: 'deleted_account', isDone: true }],
  })
  expect(await bench.gateway.refundsOfPayment(paymentId)).toHaveLength(1)
  const mails = await world.read(sql`
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
  await shopper.world.drain()
  const { paymentId } = await payLink(await urlOfLink(shopper.world, order.id))
  await runJobs(shopper.world)
  expect(await shopper.outcome(purchaseId)).toMatchObject({
    status: 'paid',
    grants: 1,
    owed: [{ reason: 'excess', isDone: true }],
  })
  expect(await bench.gateway.refundsOfPayment(paymentId)).toHaveLength(1)
})

test('money on a link that ended unseen is found, though the order was verified before a job ran', async () => {
  const { world, claims, order, link, outcome } = await newShopper()
  const { order: ordered, purchaseId } = await order()
  const { url } = await link()
  await bench.razorpay.fail('/v1/payment_links/*/cancel')
  const { paymentId } = await payLink(url)
  const paid = await bench.razorpay.pay(ordered.id)
  world.advance(hours(26))
  await verifyPayment(world.ctx(), { ...callOf(claims), body: paid })
  expect(await outcome(purchaseId)).toMatchObject({ status: 'paid', owed: [] })
  await runJobs(world)
  expect(await outcome(purchaseId)).toMatchObject({
    status: 'paid',
    nextCheckAt: null,
    owed: [{ reason: 'excess', isDone: true }],
  })
  expect(await bench.gateway.refundsOfPayment(paymentId)).toHaveLength(1)
})

test('the audit finds money on a link whose creation was never confirmed, by its receipt', async () => {
  const { world, order, verify, outcome } = await newShopper()
  const { purchaseId, order: ordered } = await order()
  await verify(ordered.id)
  const { url } = await bench.gateway.createLink({
    purchaseId,
    amountMinor: ordered.amount,
    currency: 'USD',
    description: 'Pro',
    callbackUrl: 'http://localhost:8787/api/payment/link-callback',
    expiresAt: world.now() + hours(24),
  })
  const { paymentId } = await payLink(url)
  world.advance(minutes(5))
  await auditPayments(world.ctx(), { since: world.now() - hours(1) })
  expect(world.alerts).toContainEqual({
    event: 'the audit found a payment unaccounted for',
    fields: expect.objectContaining({ paymentId }),
  })
  expect(await outcome(purchaseId)).toMatchObject({
    status: 'paid',
    owed: [{ reason: 'excess', isDone: false }],
  })
})

async function urlOfLink(world: World, orderId: string): Promise<string> {
  const [row] = await world.read<{ url: string }>(sql`
    SELECT link_url AS url FROM purchases WHERE razorpay_order_id = ${orderId}`)
  return row?.url ?? ''
}
