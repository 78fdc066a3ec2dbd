import { and, eq, gt, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { previousChangedOne } from '../../db/insert-from.ts'
import {
  payments,
  pendingRefunds,
  purchases,
  receipts,
  refundsAndDisputes,
} from '../../db/schema/purchases.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { enqueueMailFrom } from '../mail/outbox.ts'
import { days } from '../time.ts'
import { itemOf } from './purchase.ts'
import { markNotified } from './notify.ts'

const PER_RUN = 10
const LATE_MS = days(2)
/** The end of a refund is mailed within this time, or not at all: the row is older than the mail. */
const END_MS = days(7)

/**
 * Mails, once, each buyer whose refund has waited for two days, whatever the reason. A buyer whose account was deleted is also
 * mailed when the refund was sent; others are notified when it is settled. An account that was deleted has no address any more:
 * the receipt has one, or Razorpay knows the payer's, which is not kept.
 */
export async function notifyOfRefunds(ctx: Context): Promise<void> {
  const { late, ended } = await ctx.db.batch({ late: findLate(ctx), ended: findEnded(ctx) })
  for (const one of late) await notify(ctx, one, markNotified(ctx, one.pending))
  for (const one of ended) await notify(ctx, one, markNotified(ctx, one.pending, 'endNotifiedAt'))
  if (late.length + ended.length > 0) ctx.waitUntil(() => deliverDueMail(ctx))
}

type Found = Awaited<ReturnType<typeof findLate>>[number]

async function notify(ctx: Context, found: Found, noted: ReturnType<typeof markNotified>) {
  const to = await addressOf(ctx, found)
  const { pending, purchase, currency, series, number, state, isDisputed } = found
  const item = itemOf(purchase).name
  const refund = { amountMinor: pending.amountMinor, currency }
  const userId = found.deletedAt === null ? purchase.userId : null
  const mail =
    pending.doneAt === null
      ? {
          kind: 'refund_failed' as const,
          payload: {
            item,
            refund,
            purchaseId: purchase.id,
            receipt: series === null || number === null ? null : { series, number },
            why: isDisputed === 1 ? ('disputed' as const) : ('waits' as const),
          },
        }
      : { kind: 'refund' as const, payload: { item, refunded: refund, isDone: state !== 'open' } }
  const mails =
    to === null
      ? []
      : [enqueueMailFrom(ctx, { ...mail, to, userId }, sql`WHERE ${previousChangedOne}`)]
  await ctx.db.batch({ noted, mails })
}

/** Null when nobody knows one. */
async function addressOf(ctx: Context, found: Found): Promise<string | null> {
  if (found.deletedAt === null) return found.email
  if (found.buyerEmail !== null) return found.buyerEmail
  return (await ctx.payments.fetchPayment(found.pending.paymentId)).payerEmail
}

const findLate = (ctx: Context) =>
  find(
    ctx,
    and(
      isNull(pendingRefunds.doneAt),
      isNull(pendingRefunds.notifiedAt),
      lt(pendingRefunds.createdAt, ctx.now - LATE_MS),
    ),
  )

/** A refund that a lost dispute took the place of was not sent. */
const findEnded = (ctx: Context) =>
  find(
    ctx,
    and(
      gt(pendingRefunds.doneAt, ctx.now - END_MS),
      isNull(pendingRefunds.endNotifiedAt),
      sql`NOT ${hasDispute('final')}`,
      sql`${pendingRefunds.doneAt} >= ${users.deletedAt}`,
    ),
  )

function find({ db, paymentMode }: Context, condition: SQL | undefined) {
  return db
    .select({
      pending: pendingRefunds,
      purchase: purchases,
      currency: payments.currency,
      email: users.email,
      deletedAt: users.deletedAt,
      buyerEmail: receipts.buyerEmail,
      series: receipts.series,
      number: receipts.number,
      state: refundsAndDisputes.state,
      isDisputed: hasDispute('open'),
    })
    .from(pendingRefunds)
    .innerJoin(purchases, eq(purchases.id, pendingRefunds.purchaseId))
    .innerJoin(payments, eq(payments.id, pendingRefunds.paymentId))
    .innerJoin(users, eq(users.id, purchases.userId))
    .leftJoin(receipts, eq(receipts.purchaseId, purchases.id))
    .leftJoin(refundsAndDisputes, eq(refundsAndDisputes.id, pendingRefunds.refundId))
    .where(and(condition, eq(purchases.paymentMode, paymentMode)))
    .limit(PER_RUN)
}

/** In SQL, whether the payment of a pending refund has a dispute in this state. */
function hasDispute(state: 'open' | 'final') {
  return sql<number>`EXISTS (
    SELECT 1 FROM refunds_and_disputes t
    WHERE t.payment_id = ${pendingRefunds.paymentId} AND t.kind = 'dispute' AND t.state = ${state})`
}
