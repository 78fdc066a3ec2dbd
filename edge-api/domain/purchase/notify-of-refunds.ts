import { and, eq, exists, gt, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { previousChangedOne } from '../../db/insert-from.ts'
import { pendingRefunds, purchases } from '../../db/schema/purchases.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { enqueueMailFrom, type NewMailFrom } from '../mail/outbox.ts'
import type { MailKind } from '../mail/render.ts'
import { days } from '../time.ts'
import { isOpenDispute, type PendingRefund, type State } from './core/state.ts'
import { onePurchase, readStates } from './load.ts'
import { aboutOf, markNotified, moneyOfPending } from './notify.ts'
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

/** The statements that mail the buyer about a pending refund that Razorpay rejects, unless they were notified before. */
export function mailRejected(ctx: Context, state: State, pending: PendingRefund) {
  const { isDeleted, email } = state.buyer
  return pending.doneAt !== null || isDeleted ? [] : mailWaiting(ctx, state, pending, email)
}

/**
 * The statements that mail, once, that a pending refund is not sent yet.
 *
 * @param to null when nobody knows an address
 * @param why left out when Razorpay rejects it
 */
function mailWaiting(
  ctx: Context,
  state: State,
  pending: PendingRefund,
  to: string | SQL | null,
  why?: 'disputed' | 'waits',
) {
  const refund = moneyOfPending(state, pending)
  const payload = { ...aboutOf(state), refund, ...(why === undefined ? {} : { why }) }
  const userId = state.buyer.isDeleted ? null : state.purchase.userId
  const id = `mail-refund-held:${pending.paymentId}:${pending.number}`
  const mail = { id, kind: 'refund_failed' as const, payload, userId }
  return [markNotified(ctx, pending), ...mailOnce(ctx, to, mail)]
}

/** The statements that mail, once, that a refund of a deleted account was sent. */
function mailSent(ctx: Context, state: State, pending: PendingRefund, to: string | SQL | null) {
  const isDone = state.refunds.every(
    (refund) => refund.id !== pending.refundId || refund.state !== 'pending',
  )
  const { item, purchaseId } = aboutOf(state)
  const payload = { item, purchaseId, refunded: moneyOfPending(state, pending), isDone }
  const mail = { kind: 'refund' as const, payload, userId: null }
  return [markNotified(ctx, pending, 'endNotifiedAt'), ...mailOnce(ctx, to, mail)]
}

/** Comes after `markNotified`. */
function mailOnce<Kind extends MailKind>(
  ctx: Context,
  to: string | SQL | null,
  mail: Omit<NewMailFrom<Kind>, 'to'>,
) {
  if (to === null) return []
  return [enqueueMailFrom(ctx, { ...mail, to }, sql`WHERE ${previousChangedOne}`)]
}
