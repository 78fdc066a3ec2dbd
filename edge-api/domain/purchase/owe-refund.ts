import { type SQL, sql } from 'drizzle-orm'
import { insertFrom, previousChangedOne } from '../../db/insert-from.ts'
import { owedRefunds } from '../../db/schema/purchases.ts'
import { recordEventIf } from '../account/account-event.ts'
import type { Context } from '../context.ts'
import type { Purchase } from './find-purchase.ts'
import { itemOf } from './item.ts'
import { refundAccount, type RefundRow } from './refund-quote.ts'
import { reverseTokens, storeShortfall } from './settling/move-tokens.ts'
import { mailAskedRefund } from './settling/notify.ts'

/** The columns that a debt copies from row `r` of `refundAccount`. */
const ofAccount = {
  paymentId: sql`r.paymentId`,
  number: sql`(
    SELECT coalesce(max(w.number), 0) + 1 FROM owed_refunds w WHERE w.payment_id = r.paymentId
  )`,
  purchaseId: sql`r.purchaseId`,
  refundedBeforeMinor: sql`r.refundedBeforeMinor`,
  lostBeforeMinor: sql`r.lostMinor`,
}

/**
 * The statements that owe a refund by the formula: they write the debt and the event, take the unused tokens and mail the
 * buyer. They do nothing unless the sum still equals the checked `row` and `when` holds: tokens used or money returned in
 * between change it. `isOwed` says in SQL whether they did.
 */
export function oweAskedRefund(
  ctx: Context,
  purchase: Purchase,
  { row, when }: { row: RefundRow; when: SQL },
) {
  const { db, now } = ctx
  const { userId } = purchase
  const owed = {
    ...ofAccount,
    reason: 'asked_for' as const,
    amountMinor: sql`r.amountMinor`,
    tokens: sql`r.unusedTokens`,
    createdAt: now,
    dueAt: now,
  }
  const source = sql`
    FROM ${refundAccount(ctx, userId, purchase.id)} r
    WHERE NOT r.isDisputed AND r.amountMinor = ${row.amountMinor} AND ${when}`
  const { event, isRecorded } = recordEventIf(
    ctx,
    { userId, kind: 'refund_asked', detail: { item: itemOf(purchase).name } },
    sql`WHERE ${previousChangedOne}`,
  )
  return {
    isOwed: isRecorded,
    owe: {
      asked: db.run(sql`${insertFrom(owedRefunds, owed, source)} ON CONFLICT DO NOTHING`),
      event,
    },
    follow: { reversal: reverseTokens(ctx, purchase.id), mail: mailAskedRefund(ctx, purchase) },
  }
}

/**
 * The statements that give an amount back, in minor units: the first writes the debt, the others take its share of the
 * tokens. The first does nothing unless the payment is as in `row`, which was checked, and no other refund of it is owed.
 * `isOwed` says to the next statement whether it did.
 */
export function oweGoodwillRefund(
  ctx: Context,
  purchase: Purchase,
  { row, amountMinor }: { row: RefundRow; amountMinor: number },
) {
  const { db, now } = ctx
  const owed = {
    ...ofAccount,
    reason: 'goodwill' as const,
    amountMinor,
    createdAt: now,
    dueAt: now,
  }
  const source = sql`
    FROM ${refundAccount(ctx, purchase.userId, purchase.id)} r
    WHERE NOT r.isDisputed AND NOT r.isOwed
      AND r.refundedBeforeMinor = ${row.refundedBeforeMinor}
      AND r.refundedBeforeMinor + ${amountMinor} <= r.price
      AND EXISTS (SELECT 1 FROM users u WHERE u.id = ${purchase.userId} AND u.deleted_at IS NULL)`
  return {
    owe: {
      given: db.run(sql`${insertFrom(owedRefunds, owed, source)} ON CONFLICT DO NOTHING`),
    },
    isOwed: previousChangedOne,
    follow: {
      reversal: reverseTokens(ctx, purchase.id),
      shortfall: storeShortfall(ctx, purchase.id),
    },
  }
}
