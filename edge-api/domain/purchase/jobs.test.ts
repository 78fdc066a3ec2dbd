import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { testSecrets } from '../../../tests/harness/services.ts'
import { openJobBench, type JobBench } from '../../../tests/harness/world/job-bench.ts'
import { hours, minutes } from '../time.ts'
import { auditPayments } from './audit-payments.ts'
import { payOwedRefunds } from './pay-owed-refunds.ts'
import { retryWebhooks } from './webhooks.ts'
import { reconcilePurchases } from './reconcile.ts'

let bench: JobBench
beforeEach(async () => {
  bench = await openJobBench()
})

const openOrder = () => bench.openOrder()

test('the job finds a paid order by its receipt when nothing else reported it', async () => {
  const { world, orderId, outcome } = await openOrder()
  await bench.razorpay.pay(orderId)
  await reconcilePurchases(world.ctx())
  expect(await outcome()).toMatchObject({ status: 'paid', grants: 1, left: 1_000_000 })
})

test('a purchase that is not due is not checked, and of three runs at once one checks it', async () => {
  const { world, orderId, outcome } = await openOrder()
  await reconcilePurchases(world.ctx())
  expect(await outcome()).toMatchObject({ status: 'open' })
  await bench.razorpay.pay(orderId)
  await reconcilePurchases(world.ctx())
  expect(await outcome()).toMatchObject({ status: 'open' })
  world.advance(minutes(1))
  await Promise.all([1, 2, 3].map(() => reconcilePurchases(world.ctx())))
  expect(await outcome()).toMatchObject({ status: 'paid', grants: 1 })
})

test('extra money is sent back once, however often the job runs', async () => {
  const { world, draft, orderId, outcome } = await openOrder()
  const { paymentId } = await bench.razorpay.pay(orderId)
  await reconcilePurchases(world.ctx())
  const second = await openOrder()
  const extra = await bench.razorpay.pay(second.orderId)
  const { db } = world.ctx()
  // As if the second payment had been made on the first order, which the provider does not allow.
  await db.batch([
    db.run(sql`
      INSERT INTO payments (id, purchase_id, razorpay_order_id, amount_minor, currency, rank,
        created_at, updated_at)
      VALUES (${extra.paymentId}, ${draft.id}, ${orderId}, ${draft.amountMinor}, 'USD', 3, 1, 1)`),
    db.run(sql`
      INSERT INTO owed_refunds (payment_id, purchase_id, reason, amount_minor, created_at, due_at)
      VALUES (${extra.paymentId}, ${draft.id}, 'excess', ${draft.amountMinor}, 1, 1)`),
  ])
  await Promise.all([1, 2, 3].map(() => payOwedRefunds(world.ctx())))
  expect(await bench.gateway.refundsOfPayment(extra.paymentId)).toHaveLength(1)
  expect(await bench.gateway.refundsOfPayment(paymentId)).toHaveLength(0)
  expect(await outcome()).toMatchObject({
    status: 'paid',
    left: 1_000_000,
    owed: [{ reason: 'excess', isDone: true }],
    mails: ['mail-receipt', 'mail-refund'],
  })
})

test('an event that was stored but not processed is processed once', async () => {
  const { world, draft, orderId, outcome } = await openOrder()
  const { paymentId } = await bench.razorpay.pay(orderId)
  const body = JSON.stringify({
    event: 'order.paid',
    payload: {
      payment: { entity: await entityOf(paymentId) },
      order: { entity: { id: orderId, receipt: draft.id } },
    },
  })
  const { db, now } = world.ctx()
  await db.batch([
    db.run(sql`
      INSERT INTO webhook_events (event_id, event, body, received_at)
      VALUES (${crypto.randomUUID()}, 'order.paid', ${body}, ${now})`),
  ])
  world.advance(minutes(2))
  await Promise.all([1, 2, 3].map(() => retryWebhooks(world.ctx())))
  expect(await outcome()).toMatchObject({ status: 'paid', grants: 1, left: 1_000_000 })
})

test('the daily audit finds a captured payment without a grant, settles it and raises an alert', async () => {
  const { world, draft, orderId, outcome } = await openOrder()
  const { db } = world.ctx()
  await db.batch([
    db.run(sql`
      UPDATE purchases SET razorpay_order_id = ${orderId}, next_check_at = NULL
      WHERE id = ${draft.id}`),
  ])
  const { paymentId } = await bench.razorpay.pay(orderId)
  // The emulator's clock runs, while this world's clock stands still.
  world.advance(minutes(5))
  const since = world.now() - hours(48)
  expect(await auditPayments(world.ctx(), { since })).toMatchObject({
    found: expect.arrayContaining([expect.objectContaining({ id: paymentId })]),
  })
  expect(world.alerts).toContainEqual({
    event: 'the audit found a payment unaccounted for',
    fields: {
      id: paymentId,
      paymentId,
      razorpayOrderId: orderId,
      state: 'captured',
      amount: 'USD 25.00',
    },
  })
  expect(await outcome()).toMatchObject({ status: 'paid', grants: 1 })
  await bench.razorpay.send('POST', `/payments/${paymentId}/refund`, { amount: 500 })
  await auditPayments(world.ctx(), { since })
  expect(await outcome()).toMatchObject({ left: 800_000 })
})

test('an outage ends the run early, and its purchases are due again soon', async () => {
  const { world, orderId, outcome } = await openOrder()
  await bench.razorpay.pay(orderId)
  await bench.razorpay.fault({
    match: { path: '/v1/*' },
    times: null,
    action: { type: 'status', code: 503 },
  })
  await reconcilePurchases(world.ctx())
  await bench.razorpay.clearFaults()
  const { nextCheckAt } = await outcome()
  expect(nextCheckAt).toBeGreaterThanOrEqual(world.now())
  expect(nextCheckAt).toBeLessThanOrEqual(world.now() + minutes(5))
  world.advance(hours(1))
  await reconcilePurchases(world.ctx())
  expect(await outcome()).toMatchObject({ status: 'paid' })
})

async function entityOf(paymentId: string): Promise<unknown> {
  const { RAZORPAY_KEY_ID, RAZORPAY_KEY_SECRET } = testSecrets
  const response = await bench.fetch(`http://127.0.0.1:9/v1/payments/${paymentId}`, {
    headers: { authorization: `Basic ${btoa(`${RAZORPAY_KEY_ID}:${RAZORPAY_KEY_SECRET}`)}` },
  })
  return response.json()
}
