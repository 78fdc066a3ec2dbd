import { like, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  openUnpaidPurchase,
  paymentFor,
  providerId,
} from '../../../tests/harness/world/purchase.ts'
import { START_MS } from '../../../tests/harness/world/world.ts'
import { mails } from '../../db/schema/records.ts'
import { renderMail } from '../mail/render.ts'
import { hours, minutes } from '../time.ts'
import { factsOf, type PaymentFact } from '../ports/payments.ts'
import { CLAIM_MS } from './check-schedule.ts'
import type { Purchase } from './find-purchase.ts'
import { settle } from './settle.ts'

test('a payment of another amount grants nothing, raises one alert, is owed back by hand, and the buyer gets one mail', async () => {
  const { world, purchase, report, outcome } = await openUnpaidPurchase()
  const payment = paymentFor(purchase, { amountMinor: 100 })
  expect(await report({ payments: [payment] })).toMatchObject({ status: 'review' })
  await report({ payments: [payment] })
  expect(await outcome()).toMatchObject({
    grants: 0,
    left: 0,
    owed: [{ reason: 'mismatch', isDone: false }],
    mails: ['mail-review'],
  })
  expect(world.alerts).toEqual([
    {
      event: 'captured money is owed back',
      fields: {
        ...{ purchaseId: purchase.id, paymentId: payment.paymentId },
        ...{ amount: 'USD 1.00', reason: 'mismatch' },
      },
    },
  ])
  const ctx = world.ctx()
  const { db } = ctx
  const [rows] = await db.batch([
    db
      .select()
      .from(mails)
      .where(like(mails.id, `%:${payment.paymentId}`)),
  ])
  const texts = rows.map((mail) => renderMail(mail, ctx).text)
  expect(texts).toEqual([expect.stringMatching(/USD 25\.00[^]*USD 1\.00/)])
})

test('a payment that contradicts itself is left to a human, and its grant stays', async () => {
  const { world, purchase, report, outcome } = await openUnpaidPurchase()
  const payment = paymentFor(purchase)
  await report({ payments: [payment] })
  await report({ payments: [{ ...payment, amountMinor: 1 }] })
  expect(await outcome()).toMatchObject({ status: 'paid', left: 1_000_000 })
  expect(world.alerts.map(({ event }) => event)).toEqual(['a payment contradicts itself'])
})

test('an unpaid purchase expires after 96 hours, and late money still counts', async () => {
  const { world, purchase, report, outcome } = await openUnpaidPurchase()
  world.advance(hours(97))
  expect(await report({})).toMatchObject({ status: 'expired' })
  expect((await outcome()).nextCheckAt).toBe(purchase.createdAt + hours(5 * 24 + 2))
  world.advance(hours(48))
  expect(await report({ payments: [paymentFor(purchase)] })).toMatchObject({ status: 'paid' })
  expect(await outcome()).toMatchObject({ grants: 1, left: 1_000_000 })
})

test('news about a purchase does not postpone a check that is due, also after its link ended', async () => {
  const linked = { razorpayLinkId: providerId('plink'), linkExpiresAt: START_MS + hours(24) }
  const { world, purchase, report, outcome } = await openUnpaidPurchase(linked)
  const declined = paymentFor(purchase, { status: 'failed' })
  await report({ payments: [declined] })
  expect(await outcome()).toMatchObject({ nextCheckAt: purchase.createdAt + minutes(1) })
  for (const payments of [[declined], [paymentFor(purchase)], []]) {
    world.advance(hours(9))
    await report({ payments })
    expect(await outcome()).toMatchObject({ nextCheckAt: purchase.createdAt + minutes(1) })
  }
})

test('an authorized payment is checked again soon, then less often', async () => {
  const { world, purchase, report, outcome } = await openUnpaidPurchase()
  world.advance(hours(50))
  await report({ payments: [paymentFor(purchase, { status: 'authorized' })] })
  expect((await outcome()).nextCheckAt).toBe(world.now() + minutes(2))
  world.advance(hours(1))
  // Another payment says nothing about this one.
  await report({ payments: [paymentFor(purchase, { status: 'failed' })] })
  expect((await outcome()).nextCheckAt).toBe(world.now() + hours(1) + 1_000)
  // The latest authorized payment counts, also when all other checks are over.
  world.advance(hours(100))
  await report({ payments: [paymentFor(purchase, { status: 'authorized' })] })
  expect((await outcome()).nextCheckAt).toBe(world.now() + minutes(2))
})

test('a payment that was begun and has no result yet leaves the purchase open', async () => {
  const { purchase, report, outcome } = await openUnpaidPurchase()
  const payment = paymentFor(purchase, { method: 'upi', status: 'created' })
  await report({ payments: [paymentFor(purchase, { status: 'failed' })] })
  expect(await outcome()).toMatchObject({ status: 'attempted' })
  await report({ payments: [payment] })
  expect(await outcome()).toMatchObject({ status: 'open' })
  await report({ payments: [{ ...payment, status: 'failed' }] })
  expect(await outcome()).toMatchObject({ status: 'attempted' })
})

test('extra money is still treated as extra after the account was deleted', async () => {
  const { world, claims, purchase, report, outcome } = await openUnpaidPurchase()
  await report({ payments: [paymentFor(purchase)] })
  await world.read(sql`UPDATE users SET deleted_at = 1 WHERE id = ${claims.userId}`)
  await report({ payments: [paymentFor(purchase)] })
  expect(await outcome()).toMatchObject({
    status: 'paid',
    owed: [{ reason: 'excess', isDone: false }],
  })
})

test('facts that arrive again after the outbox and the history were emptied notify nobody', async () => {
  const { world, claims, purchase, report, outcome } = await openUnpaidPurchase()
  const payment = paymentFor(purchase)
  await report({ payments: [payment] })
  await world.read(sql`DELETE FROM mails WHERE user_id = ${claims.userId}`)
  await world.read(sql`DELETE FROM account_events WHERE user_id = ${claims.userId}`)
  await report({ payments: [payment] })
  const events = sql`SELECT id FROM account_events WHERE user_id = ${claims.userId}`
  expect(await world.read(events)).toEqual([])
  expect(await outcome()).toMatchObject({ status: 'paid', mails: [] })
})

const settledFacts: [string, (purchase: Purchase) => PaymentFact][] = [
  ['paid', paymentFor],
  ['refunded', (purchase) => paymentFor(purchase, { amountRefundedMinor: 2_500 })],
  ['review', (purchase) => paymentFor(purchase, { amountMinor: 100 })],
]

test.each(settledFacts)(
  'a purchase that is %s is checked no more, but one with a link until an hour after that ended',
  async (status, payment) => {
    const bare = await openUnpaidPurchase()
    expect(await bare.report({ payments: [payment(bare.purchase)] })).toMatchObject({ status })
    expect(await bare.outcome()).toMatchObject({ nextCheckAt: null })

    const linked = { razorpayLinkId: providerId('plink'), linkExpiresAt: START_MS + hours(24) }
    const { world, purchase, report, outcome } = await openUnpaidPurchase(linked)
    await report({ payments: [payment(purchase)] })
    const endsAt = linked.linkExpiresAt + hours(1)
    /** Claims the purchase and settles what Razorpay says, as the job does. */
    const checkAt = async (now: number) => {
      const ctx = { ...world.ctx(), now }
      const claim = sql`
        UPDATE purchases SET next_check_at = ${now + CLAIM_MS} WHERE id = ${purchase.id}`
      await ctx.db.batch([ctx.db.run(claim)])
      await settle(ctx, purchase, factsOf({}))
      return (await outcome()).nextCheckAt
    }
    expect(await checkAt(endsAt - 1)).toBe(purchase.createdAt + hours(48))
    expect(await checkAt(endsAt)).toBe(null)
  },
)

test('an unpaid purchase is still checked after its link ended, and a due check stays due', async () => {
  const linked = { razorpayLinkId: providerId('plink'), linkExpiresAt: START_MS + hours(24) }
  const { world, purchase, report, outcome } = await openUnpaidPurchase(linked)
  world.advance(hours(26))
  await report({})
  const nextCheckAt = purchase.createdAt + hours(48)
  expect(await outcome()).toMatchObject({ nextCheckAt })
  await settle({ ...world.ctx(), now: nextCheckAt }, purchase, factsOf({}))
  expect(await outcome()).toMatchObject({ nextCheckAt })
})
