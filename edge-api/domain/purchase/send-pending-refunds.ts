import { sql } from 'drizzle-orm'
import { hasOpenDispute } from '../../db/has-open-dispute.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { factsOf, GatewayRejected, GatewayUnavailable, type RefundFact } from '../ports/payments.ts'
import { minutes } from '../time.ts'
import { moneyOf } from './core/money-of.ts'
import { isSentFor, refundKeyOf } from './core/refund-key.ts'
import { isOf, sum } from './core/rows.ts'
import type { PendingRefund, State } from './core/state.ts'
import { mailRejected } from './notify-of-refunds.ts'
import { settle } from './settle.ts'

const PER_RUN = 10
const PAUSE_MS = minutes(10)

/** A pending refund that this run tries. */
type Claimed = Pick<PendingRefund, 'paymentId' | 'purchaseId' | 'reason' | 'attempts'>

/**
 * Sends the refunds that are due: of extra money, and those that buyers requested. A run claims what it tries, and the idempotency
 * key makes a repetition the same refund. The state changes only through `settle`.
 */
export async function sendPendingRefunds(ctx: Context): Promise<void> {
  const [claimed] = await ctx.db.batch([claimDue(ctx)])
  for (const one of claimed) {
    try {
      await send(ctx, one)
    } catch (error) {
      report(ctx, one, error)
    }
  }
}

/**
 * Before money leaves, asks Razorpay for the refunds made so far and settles them, because a report of one may be lost or false.
 * Sends what is still outstanding then.
 */
async function send(ctx: Context, claimed: Claimed): Promise<void> {
  const { paymentId } = claimed
  const listed = await ctx.payments.refundsOfPayment(paymentId)
  const state = await settleRefunds(ctx, claimed, listed)
  const pending = pendingOf(state, claimed)
  const { outstanding } = moneyOf(state, paymentId)
  if (outstanding === 0) return
  const contradicted = contradictionOf(state, pending, listed)
  if (contradicted !== undefined) {
    const fields = { paymentId, refundId: contradicted.id }
    ctx.log.alert('a payment contradicts itself', fields)
    return
  }
  try {
    const request = { paymentId, amountMinor: outstanding, key: refundKeyOf(state, pending) }
    await settleRefunds(ctx, claimed, [await ctx.payments.refund(request)])
  } catch (error) {
    if (error instanceof GatewayRejected) {
      await ctx.db.batch({ mails: mailRejected(ctx, state, pending) })
      ctx.waitUntil(() => deliverDueMail(ctx))
    }
    throw error
  }
}

/** The state of the purchase once these refunds are settled. */
function settleRefunds(
  ctx: Context,
  { purchaseId, reason }: Claimed,
  refunds: RefundFact[],
): Promise<State> {
  const facts = factsOf({ refunds })
  const cause = `${reason.replaceAll('_', ' ')} refund`
  return settle(ctx, { id: purchaseId }, facts, { cause })
}

function pendingOf({ pendingRefunds }: State, { paymentId }: Claimed): PendingRefund {
  const pending = pendingRefunds.find(isOf(paymentId))
  if (pending === undefined) throw new Error(`there is no pending refund of ${paymentId}`)
  return pending
}

/**
 * A refund about which a person must decide, because too much might be sent: one that failed here and not at Razorpay, or the first
 * that we sent for this one, if they are more than what is covered.
 */
function contradictionOf(
  state: State,
  pending: PendingRefund,
  listed: readonly RefundFact[],
): RefundFact | undefined {
  const there = listed.filter((refund) => refund.state !== 'failed')
  const hasFailedHere = ({ id }: RefundFact) =>
    state.refunds.some((stored) => stored.id === id && stored.state === 'failed')
  const sent = there.filter((refund) => isSentFor(refund, pending))
  const { covered } = moneyOf(state, pending.paymentId)
  return there.find(hasFailedHere) ?? (sum(sent) > covered ? sent[0] : undefined)
}

function report(ctx: Context, { paymentId, attempts }: Claimed, error: unknown): void {
  if (error instanceof GatewayUnavailable) return
  if (!(error instanceof GatewayRejected)) {
    ctx.log.error('owed money could not be sent back', error, { paymentId, attempts })
    return
  }
  ctx.log.alert('owed money could not be sent back', { paymentId, reason: error.reason })
}

/** Claims due refunds; completed ones are never due. A claimed refund is due again after a while, longer each time. */
function claimDue({ db, now, paymentMode }: Context) {
  return db.all<Claimed>(sql`
    UPDATE owed_refunds SET attempts = attempts + 1, due_at = ${now} + ${PAUSE_MS} * (attempts + 1)
    WHERE payment_id IN (
      SELECT o.payment_id FROM owed_refunds o JOIN purchases p ON p.id = o.purchase_id
      WHERE o.due_at <= ${now} AND p.payment_mode = ${paymentMode}
        AND NOT ${hasOpenDispute(sql`o.payment_id`)}
      ORDER BY o.due_at LIMIT ${PER_RUN}
    )
    RETURNING payment_id AS paymentId, purchase_id AS purchaseId, reason, attempts
  `)
}
