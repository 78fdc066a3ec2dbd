import { and, desc, eq, lt, ne, sql } from 'drizzle-orm'
import { REFUND_DAYS } from '../../../src/contract/limits.ts'
import type { ListedState, purchasesEndpoint } from '../../../src/contract/receipt.ts'
import { hasOpenDispute } from '../../db/has-open-dispute.ts'
import { grants, payments, pendingRefunds, purchases, receipts } from '../../db/schema/purchases.ts'
import { accountQuery, requireSignedIn } from '../session/account-query.ts'
import type { Context } from '../context.ts'
import { receiptNumber } from '../format-money.ts'
import { days, toIso, toIsoOrNull } from '../time.ts'
import type { SessionHandler } from '../handler.ts'
import {
  isReturnedByBank,
  ofThisMode,
  type Purchase,
  refundedMinorOf,
  toPurchaseView,
} from './purchase.ts'
import { REFUND_WINDOW_MS, sentAtOf } from './refundable.ts'

/** The caller's purchases, newest first, without those that expired unpaid. */
export const listPurchases: SessionHandler<typeof purchasesEndpoint> = async (
  ctx,
  { claims, query: { cursor, limit } },
) => {
  const { accounts, rows } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    rows: selectPurchases(ctx, claims.userId, cursor).limit(limit + 1),
  })
  requireSignedIn(accounts)
  const page = rows.slice(0, limit)
  return {
    success: true,
    purchases: page.map((row) => ({
      ...toPurchaseView(row.purchase),
      state: listedStateOf(row),
      receiptNumber: row.receipt === null ? null : receiptNumber(row.receipt),
      amountRefunded: row.amountRefunded,
      method: row.method,
      refundableUntil: toIsoOrNull(refundableUntilOf(row, ctx.now)),
      refund: row.requested && {
        amount: row.requested.amountMinor,
        askedAt: toIso(row.requested.createdAt),
        sentAt: sentAtOf(row.requested, row.purchase, row.amountRefunded),
      },
    })),
    nextCursor: rows.length > limit ? (page.at(-1)?.purchase.id ?? null) : null,
  }
}

interface Row {
  purchase: Purchase
  amountRefunded: number
  requested: typeof pendingRefunds.$inferSelect | null
  isDisputed: number
}

function listedStateOf({ purchase, requested, amountRefunded, isDisputed }: Row): ListedState {
  const { status, verifiedAt } = purchase
  if (isDisputed === 1) return 'disputed'
  if (requested?.doneAt === null) return 'refund_requested'
  if (isReturnedByBank(purchase, amountRefunded)) return 'charged_back'
  if (requested !== null) return 'refunded'
  if (status === 'paid' || status === 'review' || status === 'refunded') return status
  // A payment that is on its way must not look unpaid: the buyer would pay again.
  if (status === 'authorized' || verifiedAt !== null) return 'confirming'
  // Razorpay sent back what it never captured.
  return amountRefunded > 0 ? 'refunded' : 'not_completed'
}

function refundableUntilOf({ purchase, requested, isDisputed }: Row, now: number) {
  const { status, paidAt } = purchase
  if (status !== 'paid' || paidAt === null || requested !== null || isDisputed === 1) return null
  return paidAt + REFUND_WINDOW_MS <= now ? null : paidAt + days(REFUND_DAYS)
}

/** @param cursor the id of the last purchase on the page before; ids sort by time */
function selectPurchases(ctx: Context, userId: string, cursor: string | undefined) {
  return ctx.db
    .select({
      purchase: purchases,
      receipt: receipts,
      method: payments.method,
      amountRefunded: refundedMinorOf(sql`${purchases.id}`),
      requested: pendingRefunds,
      isDisputed: hasOpenDispute(sql`${grants.paymentId}`),
    })
    .from(purchases)
    .leftJoin(receipts, eq(receipts.purchaseId, purchases.id))
    .leftJoin(grants, eq(grants.purchaseId, purchases.id))
    .leftJoin(payments, eq(payments.id, grants.paymentId))
    .leftJoin(
      pendingRefunds,
      and(eq(pendingRefunds.paymentId, grants.paymentId), eq(pendingRefunds.reason, 'asked_for')),
    )
    .where(
      and(
        eq(purchases.userId, userId),
        ofThisMode(ctx),
        ne(purchases.status, 'expired'),
        cursor === undefined ? undefined : lt(purchases.id, cursor),
      ),
    )
    .orderBy(desc(purchases.id))
}
