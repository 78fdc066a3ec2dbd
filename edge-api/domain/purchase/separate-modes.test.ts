import { type SQL, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { emptyFixture } from '#harness/fixture/empty-fixture.ts'
import {
  createPurchase,
  openUnpaidPurchase,
  paymentFor,
  providerId,
} from '#harness/fixture/purchase.ts'
import { callOf } from '#harness/fixture/fixture.ts'
import { purchases } from '../../db/schema/purchases.ts'
import { me } from '../profile/me.ts'
import { factsOf } from '../ports/payments.ts'
import { useTokens } from '../tokens/use-tokens.ts'
import {
  idOfLink,
  idOfOrder,
  isOfFacts,
  newestIds,
  purchaseOfUser,
  purchasesWhere,
} from './purchase.ts'
import { listPurchases } from './purchase-history.ts'
import { sendPendingRefunds } from './send-pending-refunds.ts'
import { reconcilePurchases } from './reconcile.ts'

test('a purchase of one mode is not found in another', async () => {
  const fixture = await emptyFixture()
  const { purchase, claims } = await openUnpaidPurchase(
    { razorpayLinkId: providerId('plink') },
    fixture,
  )
  const { id, razorpayOrderId, razorpayLinkId } = purchase
  for (const [mode, count] of [
    ['emulator', 1],
    ['live', 0],
  ] as const) {
    const ctx = fixture.ctxOf(mode)
    const found = (ids: SQL) =>
      ctx.db
        .select()
        .from(purchases)
        .where(sql`${purchases.id} IN ${ids}`)
    const rows = await ctx.db.batch([
      found(idOfOrder(ctx, razorpayOrderId ?? '')),
      found(idOfLink(ctx, razorpayLinkId ?? '', id)),
      found(newestIds(ctx, claims.userId)),
      purchaseOfUser(ctx, claims.userId, id),
      purchasesWhere(ctx, isOfFacts(factsOf({ payments: [paymentFor(purchase)] }))),
    ])
    expect(rows.map((found) => found.length)).toEqual([count, count, count, count, count])
    const query = { cursor: undefined, limit: 20 }
    const { purchases: listed } = await listPurchases(ctx, { ...callOf(claims), query })
    expect(listed).toHaveLength(count)
  }
})

test('tokens of one mode are neither used nor shown in another', async () => {
  const fixture = await emptyFixture()
  const { purchase, claims, report, outcome } = await openUnpaidPurchase({}, fixture)
  await report({ payments: [paymentFor(purchase)] })
  const use = (mode: 'emulator' | 'live') =>
    useTokens(fixture.ctxOf(mode), { ...callOf(claims), body: { amount: 10 } })
  await expect(use('live')).rejects.toMatchObject({ code: 'INSUFFICIENT_TOKENS' })
  expect(await outcome()).toMatchObject({ used: 0 })
  expect(await use('emulator')).toMatchObject({ tokens: { used: 10 } })
  const { user } = await me(fixture.ctxOf('live'), callOf(claims))
  expect(user.tokens, 'tokens that the account shows in the other mode').toMatchObject({
    total: 0,
    used: 0,
  })
})

test('the jobs leave purchases and pending refunds of another mode alone', async () => {
  const fixture = await emptyFixture()
  const { purchase, report } = await openUnpaidPurchase({ nextCheckAt: 1 }, fixture)
  await report({ payments: [paymentFor(purchase)] })
  await report({ payments: [paymentFor(purchase)] })
  await createPurchase(fixture.ctx(), purchase.userId, { nextCheckAt: 1 })
  await createPurchase(fixture.ctx(), purchase.userId, { paymentMode: 'live' })
  const tried = () =>
    fixture.read(
      'SELECT sum(attempts) AS refunds, (SELECT sum(check_count) FROM purchases) AS checks FROM owed_refunds',
    )
  await reconcilePurchases(fixture.ctxOf('live'))
  await sendPendingRefunds(fixture.ctxOf('live'))
  expect(await tried()).toEqual([{ refunds: 0, checks: 0 }])
  await reconcilePurchases(fixture.ctx())
  await sendPendingRefunds(fixture.ctx())
  expect(await tried()).toEqual([{ refunds: 1, checks: 1 }])
})
