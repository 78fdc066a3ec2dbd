import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { purchases } from '../../db/schema/purchases.ts'
import { users } from '../../db/schema/users.ts'
import { createAccount, userRow } from '#harness/fixture/account.ts'
import { emptyFixture } from '#harness/fixture/empty-fixture.ts'
import { createPurchase, outcomeOf, paymentFor, purchaseRow } from '#harness/fixture/purchase.ts'
import { useJobBench } from '#harness/fixture/job-bench.ts'
import type { LogFields } from '../ports/log.ts'
import {
  factsOf,
  GatewayRejected,
  GatewayUnavailable,
  type PaymentFact,
  type PaymentGateway,
} from '../ports/payments.ts'
import { hours, minutes } from '../time.ts'
import { auditPayments } from './audit-payments.ts'
import type { Purchase } from './purchase.ts'
import { reconcilePurchases } from './reconcile.ts'
import { settle } from './settle.ts'

const noAnswer = () => Promise.reject(new GatewayUnavailable('no answer'))

/** Purchases that are due, and a Razorpay that answers for each of them as told. */
async function openRun() {
  const fixture = await emptyFixture()
  const answers = new Map<string | null, () => Promise<PaymentFact[]>>()
  const asked: (string | null)[] = []
  const infos: LogFields[] = []
  let due = 0
  return {
    fixture,
    asked,
    infos,
    /** The oldest is checked first. */
    purchaseWith: async (
      answer: (purchase: Purchase) => Promise<PaymentFact[]>,
      ageMs = 0,
    ): Promise<Purchase> => {
      due += 1
      const { userId } = await createAccount(fixture.ctx())
      const purchase = await createPurchase(fixture.ctx(), userId, {
        createdAt: fixture.now() - ageMs,
        nextCheckAt: due,
      })
      answers.set(purchase.razorpayOrderId, () => answer(purchase))
      return purchase
    },
    run: (gateway: Partial<PaymentGateway> = {}) => {
      const paymentsOfOrder = (orderId: string) => {
        asked.push(orderId)
        return answers.get(orderId)?.() ?? Promise.resolve([])
      }
      const ctx = fixture.ctxWith({ paymentsOfOrder, ...gateway })
      const info = (_event: string, fields: LogFields = {}) => infos.push(fields)
      return reconcilePurchases({ ...ctx, log: { ...ctx.log, info } })
    },
    /** How long from now each is checked again, and how often it was checked. */
    checks: () =>
      fixture.read(`
        SELECT next_check_at - ${fixture.now()} AS "in", check_count AS count FROM purchases ORDER BY rowid`),
    outcome: (purchase: Purchase) => outcomeOf(fixture.ctx(), purchase),
  }
}

test('after three purchases without an answer the run ends, and the others are due as before', async () => {
  const { fixture, asked, infos, purchaseWith, run, checks } = await openRun()
  const payFourth = async () => {
    const payments = [paymentFor(fourth)]
    await settle(fixture.ctx(), fourth, factsOf({ payments }))
    return noAnswer()
  }
  const first = await purchaseWith(noAnswer)
  const second = await purchaseWith(noAnswer)
  const third = await purchaseWith(payFourth)
  const fourth = await purchaseWith(noAnswer)
  const fifth = await purchaseWith(noAnswer)
  const orderOf = ({ razorpayOrderId }: Purchase) => razorpayOrderId
  await run()
  expect(asked).toEqual([first, second, third].map(orderOf))
  const waiting = { in: minutes(5), count: 1 }
  const untouched = { in: 0, count: 0 }
  expect(await checks()).toEqual([waiting, waiting, waiting, { in: null, count: 1 }, untouched])
  await run()
  expect(asked.slice(3)).toEqual([orderOf(fifth)])
  expect(infos).toEqual([{ outages: 3 }, { outages: 1 }])
  await run()
  expect(infos).toHaveLength(2)
})

test('a purchase without an answer waits the longer the older it is, five minutes at least and an hour at most, and each tenth check is an alert', async () => {
  const { fixture, purchaseWith, run, checks } = await openRun()
  await purchaseWith(noAnswer, minutes(40) + 1)
  await purchaseWith(noAnswer, minutes(4))
  const old = await purchaseWith(noAnswer, hours(30))
  await fixture.read(sql`UPDATE purchases SET check_count = 9 WHERE id = ${old.id}`)
  await run()
  expect((await checks()).map((one) => one['in'])).toEqual([minutes(20) + 1, minutes(5), hours(1)])
  const event = 'the payment provider does not answer for a purchase'
  expect(fixture.alerts).toEqual([{ event, fields: { purchaseId: old.id } }])
  expect(fixture.errors).toEqual([])
})

test('a payment that stays authorized is captured, but not one that differs from its purchase or was sent back', async () => {
  const { fixture, purchaseWith, run, outcome } = await openRun()
  let payments: PaymentFact[] = []
  const purchase = await purchaseWith(() => Promise.resolve(payments))
  const authorized = (changes: Partial<PaymentFact> = {}) =>
    paymentFor(purchase, { status: 'authorized', ...changes })
  const right = authorized()
  payments = [
    authorized({ amountMinor: purchase.amountMinor - 1 }),
    authorized({ currency: 'INR' }),
    authorized({ amountRefundedMinor: 1 }),
    authorized({ status: 'failed' }),
    right,
  ]
  const captures: unknown[] = []
  const capture: PaymentGateway['capture'] = (request) => {
    captures.push(request)
    return Promise.resolve({ ...right, status: 'captured' })
  }
  const refundsOfPayment = () => Promise.resolve([])
  await run({ capture, refundsOfPayment })
  expect(captures).toEqual([])
  expect(await outcome(purchase)).toMatchObject({ status: 'authorized' })
  fixture.advance(minutes(3))
  await run({ capture, refundsOfPayment })
  const { paymentId, amountMinor } = right
  expect(captures).toEqual([{ paymentId, amountMinor, currency: 'USD' }])
  expect(await outcome(purchase)).toMatchObject({ status: 'paid', grants: 1 })
  expect(await fixture.read('SELECT count(*) AS n FROM payments')).toEqual([{ n: payments.length }])
})

test('a capture that is rejected raises an alert, and the known facts are settled; one without an answer waits', async () => {
  const { fixture, purchaseWith, run, infos, checks } = await openRun()
  const authorized = new Map<Purchase, PaymentFact>()
  const answer = (purchase: Purchase) => {
    const payment = authorized.get(purchase) ?? paymentFor(purchase, { status: 'authorized' })
    authorized.set(purchase, payment)
    return Promise.resolve([payment])
  }
  const refused = await purchaseWith(answer)
  await purchaseWith(answer)
  await run()
  fixture.advance(minutes(3))
  await run({
    capture: ({ paymentId }) =>
      paymentId === authorized.get(refused)?.paymentId
        ? Promise.reject(new GatewayRejected('not_capturable', 'no'))
        : noAnswer(),
  })
  const alert = { purchaseId: refused.id, reason: 'not_capturable' }
  expect(fixture.alerts).toEqual([{ event: 'a payment could not be captured', fields: alert }])
  expect((await checks()).map((one) => one['in'])).toEqual([minutes(3), minutes(5)])
  expect(infos).toEqual([{ outages: 1 }])
})

test('a fault of ours raises an alert, and the other purchases are checked', async () => {
  const { fixture, purchaseWith, run, outcome } = await openRun()
  const broken = await purchaseWith(() => Promise.reject(new TypeError('a fault')))
  const paid = await purchaseWith((purchase) => Promise.resolve([paymentFor(purchase)]))
  await run()
  const fields = { job: 'reconcilePurchases', purchaseId: broken.id }
  expect(fixture.alerts).toEqual([{ event: 'job failed', fields }])
  expect(await outcome(paid)).toMatchObject({ status: 'paid' })
  expect(await fixture.read('SELECT cause FROM purchase_causes')).toEqual([{ cause: 'reconcile' }])
})

test('accounts take turns, and orders with a sign of a payment come first, however many unpaid ones are older', async () => {
  const { fixture, asked, run } = await openRun()
  const ctx = fixture.ctx()
  const rows = Array.from({ length: 12 }, () => userRow(ctx, { isVerified: true }))
  const older = rows.flatMap(({ id }, account) =>
    Array.from({ length: 20 }, (_, order) =>
      purchaseRow(ctx, id, { nextCheckAt: 20 * account + order }),
    ),
  )
  await ctx.db.batch([ctx.db.insert(users).values(rows), ctx.db.insert(purchases).values(older)])
  const late = { nextCheckAt: ctx.now }
  const paid = await createPurchase(ctx, (await createAccount(ctx)).userId, late)
  const signed = await createPurchase(ctx, (await createAccount(ctx)).userId, {
    ...late,
    verifiedAt: 1,
  })
  await run()
  expect(asked).toHaveLength(40)
  expect(asked[0]).toBe(signed.razorpayOrderId)
  expect(asked).toContain(paid.razorpayOrderId)
})

// The emulator behind the real gateway.
const bench = useJobBench()

test('a purchase that is not due is not checked, and of three runs at once one checks it', async () => {
  const { fixture, orderId, outcome } = await bench.openOrder()
  await reconcilePurchases(fixture.ctx())
  expect(await outcome()).toMatchObject({ status: 'open' })
  await bench.razorpay.pay(orderId)
  await reconcilePurchases(fixture.ctx())
  expect(await outcome()).toMatchObject({ status: 'open' })
  fixture.advance(minutes(1))
  await Promise.all([1, 2, 3].map(() => reconcilePurchases(fixture.ctx())))
  expect(await outcome()).toMatchObject({ status: 'paid', grants: 1 })
})

test('a purchase that Razorpay rejects raises an alert, and is checked less often', async () => {
  const { fixture, orderId, outcome } = await bench.openOrder()
  await bench.razorpay.fail(`/v1/orders/${orderId}/payments`, 400)
  await reconcilePurchases(fixture.ctx())
  expect(await outcome()).toMatchObject({ nextCheckAt: fixture.now() + minutes(1) })
  fixture.advance(hours(97))
  await reconcilePurchases(fixture.ctx())
  expect(await outcome()).toMatchObject({ status: 'expired' })
  const refused = { event: 'the payment provider refused' }
  expect(fixture.alerts).toMatchObject([refused, refused])
})

test('a payment that cannot be audited does not stop the audit of the others', async () => {
  const fixture = bench.fixture
  const [broken, sound] = [await bench.openOrder(), await bench.openOrder()]
  // The payments are newer than this test's clock, which stands still: by seconds on a busy machine.
  await bench.razorpay.send('POST', '/clock', { advanceSeconds: 5 })
  await bench.razorpay.pay(sound.orderId)
  const { paymentId } = await bench.razorpay.pay(broken.orderId)
  await bench.razorpay.send('POST', `/payments/${paymentId}/refund`, { amount: 500 })
  await bench.razorpay.fail(`/v1/payments/${paymentId}/refunds`)
  fixture.advance(minutes(30))
  await auditPayments(fixture.ctx(), { since: fixture.now() - hours(1) })
  await bench.razorpay.clearFaults()
  expect(await sound.outcome()).toMatchObject({ status: 'paid', grants: 1 })
  const fields = { job: 'auditPurchases', ids: expect.stringContaining(paymentId) }
  expect(fixture.alerts).toContainEqual({ event: 'job failed', fields })
})
