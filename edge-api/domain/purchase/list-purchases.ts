import { and, desc, eq, lt, notInArray, sql } from 'drizzle-orm'
import type { purchasesEndpoint } from '../../../src/contract/receipt.ts'
import { grants, payments, purchases, receipts } from '../../db/schema/purchases.ts'
import { accountQuery, requireAccount } from '../account/account-query.ts'
import type { Context } from '../context.ts'
import type { SessionVerb } from '../verb.ts'
import { ofThisMode } from './find-purchase.ts'
import { receiptNumber } from '../format-money.ts'
import { toPaymentState } from './payment-status.ts'
import { refunded } from './settling/expressions.ts'

/** The caller's purchases, newest first; those that never reached an order are left out. */
export const listPurchases: SessionVerb<typeof purchasesEndpoint> = async (
  ctx,
  { claims, query: { cursor, limit } },
) => {
  const [accounts, rows] = await ctx.db.batch([
    accountQuery(ctx, claims),
    selectPurchases(ctx, { userId: claims.userId, cursor, limit: limit + 1 }),
  ])
  requireAccount(accounts)
  const page = rows.slice(0, limit)
  return {
    success: true,
    purchases: page.map((row) => ({
      ...toPaymentState(row.purchase),
      receiptNumber: row.number === null ? null : receiptNumber(row.number),
      amountRefunded: row.amountRefunded,
      method: row.method,
    })),
    nextCursor: rows.length > limit ? (page.at(-1)?.purchase.id ?? null) : null,
  }
}

interface Page {
  userId: string
  /** The id of the last purchase of the page before: ids sort by time. */
  cursor: string | undefined
  limit: number
}

function selectPurchases(ctx: Context, { userId, cursor, limit }: Page) {
  return ctx.db
    .select({
      purchase: purchases,
      number: receipts.number,
      method: payments.method,
      amountRefunded: refundedOfGrant(),
    })
    .from(purchases)
    .leftJoin(receipts, eq(receipts.purchaseId, purchases.id))
    .leftJoin(grants, eq(grants.purchaseId, purchases.id))
    .leftJoin(payments, eq(payments.id, grants.paymentId))
    .where(
      and(
        eq(purchases.userId, userId),
        ofThisMode(ctx),
        notInArray(purchases.status, ['creating', 'expired']),
        ...(cursor === undefined ? [] : [lt(purchases.id, cursor)]),
      ),
    )
    .orderBy(desc(purchases.id))
    .limit(limit)
}

/** Minor units that went back of the payment behind the grant. */
export function refundedOfGrant() {
  return sql<number>`coalesce((
    SELECT ${refunded} FROM payments m JOIN grants g ON g.payment_id = m.id
    WHERE g.purchase_id = ${purchases.id}
  ), 0)`
}
