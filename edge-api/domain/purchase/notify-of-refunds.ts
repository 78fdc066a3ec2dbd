import { and, eq, exists, gt, isNull, lt, or, sql } from 'drizzle-orm'
import { pendingRefunds, purchases } from '../../db/schema/purchases.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { days } from '../time.ts'
import { isOpenDispute, type PendingRefund, type State } from './core/state.ts'
import { onePurchase, readStates } from './load.ts'
import { mailSent, mailWaiting } from './notify.ts'
import { ofThisMode } from './purchase.ts'

const PER_RUN = 20
const LATE_MS = days(2)
/** The end of a refund is mailed within this time, or not at all: the row is older than the mail. */
const END_MS = days(7)

/**
 * Mails, once, each buyer whose refund has waited for two days, whatever the reason. A buyer whose account was deleted is also
 * mailed when the refund was sent; others are notified when it is settled.
 */
export async function notifyOfRefunds(ctx: Context): Promise<void> {
  const [found] = await ctx.db.batch([findUnnotified(ctx)])
  for (const pending of found) {
    try {
      for await (const state of readStates(ctx, onePurchase(pending.purchaseId)))
        await ctx.db.batch({ notified: await mailAbout(ctx, state, pending) })
    } catch (error) {
      // Razorpay may not know the address now. The others are mailed, and the next run tries again.
      ctx.log.error('a buyer could not be mailed about a refund', error, { pending: pending.id })
    }
  }
  if (found.length > 0) ctx.waitUntil(() => deliverDueMail(ctx))
}

async function mailAbout(ctx: Context, state: State, pending: PendingRefund) {
  const disputes = state.disputes.filter(({ paymentId }) => paymentId === pending.paymentId)
  if (pending.doneAt === null) {
    const why = disputes.some(isOpenDispute) ? 'disputed' : 'waits'
    return mailWaiting(ctx, state, pending, await addressOf(ctx, state, pending), why)
  }
  // A refund that a lost dispute took the place of was not sent.
  const isLost = disputes.some(({ state }) => state === 'lost')
  return mailSent(ctx, state, pending, isLost ? null : await addressOf(ctx, state, pending))
}

/** An account that was deleted has no address any more: the receipt has one, or Razorpay knows the payer's. Null when nobody does. */
async function addressOf(ctx: Context, { buyer, receipt }: State, pending: PendingRefund) {
  if (!buyer.isDeleted) return buyer.email
  const { paymentId, purchaseId } = pending
  if (receipt === null) return (await ctx.payments.fetchPayment(paymentId)).payerEmail
  return sql`(SELECT r.buyer_email FROM receipts r WHERE r.purchase_id = ${purchaseId})`
}

/** Both conditions are searches of an index of the refunds that wait or have ended. */
function findUnnotified(ctx: Context) {
  const { createdAt, doneAt, notifiedAt, endNotifiedAt, purchaseId } = pendingRefunds
  const isLate = and(isNull(doneAt), isNull(notifiedAt), lt(createdAt, ctx.now - LATE_MS))
  const hasEnded = and(gt(doneAt, ctx.now - END_MS), isNull(endNotifiedAt))
  const wasDeletedBefore = sql`${doneAt} >= ${users.deletedAt}`
  const buyer = ctx.db
    .select({ id: users.id })
    .from(purchases)
    .innerJoin(users, eq(users.id, purchases.userId))
    .where(and(eq(purchases.id, purchaseId), ofThisMode(ctx), or(isNull(doneAt), wasDeletedBefore)))
  return ctx.db
    .select()
    .from(pendingRefunds)
    .where(and(or(isLate, hasEnded), exists(buyer)))
    .limit(PER_RUN)
}
