import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { emptyFixture } from '#harness/fixture/empty-fixture.ts'
import {
  createPurchase,
  openUnpaidPurchase,
  paymentFor,
  refundOf,
} from '#harness/fixture/purchase.ts'
import { use } from '#harness/fixture/refund.ts'
import { withEachBatch } from '#harness/fixture/fixture.ts'
import type { Context } from '../context.ts'
import { factsOf } from '../ports/payments.ts'
import { bumpMoneyVersion } from './save.ts'
import { settle } from './settle.ts'

/** An unpaid pack, and contexts between whose reading and first writing something happens. */
async function open() {
  const fixture = await emptyFixture()
  const opened = await openUnpaidPurchase({}, fixture)
  const between = (happens: (writing: number) => Promise<unknown> | undefined): Context => {
    const ctx = fixture.ctx()
    let writings = 0
    const db = withEachBatch(ctx.db, (statements) =>
      'saved' in statements ? happens((writings += 1)) : undefined,
    )
    return { ...ctx, db }
  }
  const once = (work: () => Promise<unknown>) =>
    between((writing) => (writing === 1 ? work() : undefined))
  const numbers = async () =>
    (await fixture.read<{ number: number }>('SELECT number FROM receipts ORDER BY number')).map(
      ({ number }) => number,
    )
  return { ...opened, fixture, between, once, numbers, payment: paymentFor(opened.purchase) }
}

test('a settle takes two round trips with news, and one without', async () => {
  const { fixture, purchase, payment } = await open()
  const roundTripsOf = async () => {
    const ctx = fixture.ctx()
    await settle(ctx, purchase, factsOf({ payments: [payment] }), { cause: 'webhook 1' })
    return ctx.db.roundTrips()
  }
  expect([await roundTripsOf(), await roundTripsOf()]).toEqual([2, 1])
})

test('a purchase that is settled 20 times at once has one grant, one receipt and one mail', async () => {
  const { fixture, purchase, payment, outcome } = await open()
  const reports = [
    factsOf({ payments: [{ ...payment, status: 'authorized' }] }),
    factsOf({ payments: [payment] }),
    factsOf({ payments: [{ ...payment, status: 'failed' }] }),
    factsOf({}),
  ]
  const settleWith = (facts = factsOf({})) => settle(fixture.ctx(), purchase, facts)
  await Promise.all(Array.from({ length: 20 }, (_, index) => settleWith(reports[index % 4])))
  expect(await outcome()).toMatchObject({
    ...{ status: 'paid', grants: 1, receipts: 1, left: 1_000_000, ledgerSum: 1_000_000 },
    mails: ['mail-receipt'],
  })
  const half = factsOf({ refunds: [refundOf(payment, { amountMinor: 1_250 })] })
  await Promise.all(Array.from({ length: 10 }, () => settleWith(half)))
  expect(await outcome()).toMatchObject({ left: 500_000, ledgerSum: 500_000 })
  expect([fixture.alerts, fixture.errors]).toEqual([[], []])
})

test('a statement that fails takes all others back, and gives no number away', async () => {
  const { fixture, claims, purchase, payment, outcome, numbers } = await open()
  const facts = factsOf({ payments: [payment] })
  const failing = [fixture.ctx().db.run(sql`INSERT INTO receipts (purchase_id) VALUES ('none')`)]
  await expect(settle(fixture.ctx(), purchase, facts, { also: failing })).rejects.toThrow(
    'NOT NULL',
  )
  expect(await outcome()).toMatchObject({ status: 'open', grants: 0, ledgerSum: 0, mails: [] })
  const other = await createPurchase(fixture.ctx(), claims.userId)
  await settle(fixture.ctx(), other, factsOf({ payments: [paymentFor(other)] }))
  await settle(fixture.ctx(), purchase, facts)
  expect(await numbers()).toEqual([1, 2])
  expect(await outcome()).toMatchObject({ status: 'paid', grants: 1 })
})

test('when the answer to a write is lost, the next report finds it done', async () => {
  const { fixture, purchase, payment, between, outcome, numbers } = await open()
  const facts = factsOf({ payments: [payment] })
  // Another caller's write has the effect that a write without an answer has.
  const lost = between(async () => {
    await settle(fixture.ctx(), purchase, facts)
    throw new Error('no answer')
  })
  await expect(settle(lost, purchase, facts)).rejects.toThrow('no answer')
  await settle(fixture.ctx(), purchase, facts)
  expect(await outcome()).toMatchObject({ status: 'paid', ledgerSum: 1_000_000 })
  expect(await numbers()).toEqual([1])
})

test('tokens that are used between reading and writing are not reversed, but missing', async () => {
  const { fixture, claims, purchase, payment, once, outcome } = await open()
  await settle(fixture.ctx(), purchase, factsOf({ payments: [payment] }))
  const refund = factsOf({ refunds: [refundOf(payment)] })
  await settle(
    once(() => use(fixture, claims, 300_000)),
    purchase,
    refund,
  )
  expect(await outcome()).toMatchObject({ left: 0, used: 300_000, shortfall: 300_000 })
})

test('an account that is deleted between reading and writing is granted nothing', async () => {
  const { fixture, claims, purchase, payment, once, outcome } = await open()
  const deletion = () =>
    fixture.ctx().db.batch({
      deleted: fixture
        .ctx()
        .db.run(sql`UPDATE users SET deleted_at = ${fixture.now()} WHERE id = ${claims.userId}`),
      touched: bumpMoneyVersion(fixture.ctx(), claims.userId),
    })
  await settle(once(deletion), purchase, factsOf({ payments: [payment] }))
  expect(await outcome()).toMatchObject({ grants: 0, pending: [{ reason: 'deleted_account' }] })
})

test('a caller whose read state is always outdated gives up, and has written nothing', async () => {
  const { fixture, claims, purchase, payment, between, outcome } = await open()
  const busy = between(() =>
    fixture.ctx().db.batch([bumpMoneyVersion(fixture.ctx(), claims.userId)]),
  )
  await expect(settle(busy, purchase, factsOf({ payments: [payment] }))).rejects.toMatchObject({
    name: 'DatabaseBusy',
  })
  expect(await outcome()).toMatchObject({ status: 'open', grants: 0, ledgerSum: 0 })
})
