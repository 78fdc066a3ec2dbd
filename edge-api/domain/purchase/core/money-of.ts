import { findReportedTwice } from './reported-twice.ts'
import { isOf, sum } from './rows.ts'
import {
  CLOCKS_MS,
  type Dispute,
  isOpenDispute,
  type Payment,
  type PendingRefund,
  type Refund,
  type State,
} from './state.ts'

/** Sums in minor units. */
interface Money {
  /** By refunds that did not fail and by what is unlisted, without what is `reportedTwice`. */
  refunded: number
  /** What is in Razorpay's sum (`amountRefundedMinor`), and of which we know no refund. */
  unlisted: number
  /** In lost disputes. */
  lost: number
  /** In disputes that are open or lost. */
  disputed: number
  /** The ids of refunds that report the money of a lost dispute once more (reported-twice.ts). */
  reportedTwice: ReadonlySet<string>
  /** All money that left us: each refund that did not fail and is not `reportedTwice`, what is unlisted, and each lost dispute. */
  outflows: readonly Outflow[]
  /** How much of each pending refund the outflows cover, by whoever sent them; not those that its amount `deducted`. */
  covered: ReadonlyMap<PendingRefund, number>
  /** What of the pending refunds is not covered, so that it is still to be sent. */
  pending: number
}

type Outflow = Pick<Refund | Dispute, 'id' | 'amountMinor' | 'beganAt'>

/**
 * Where the money of a payment went. Example, of 1,000 that were paid for 1,000 tokens of which none is used:
 *
 *                                          refunded   unlisted   lost   covered   pending   tokens due
 *     300 are refunded by hand             300        –          –      –         –         300
 *     the buyer requests a refund of 700   300        –          –      –         700       1,000
 *     we lose a dispute of 200             300        –          200    200       500       1,000
 *     Razorpay's sum of refunds is 800     800        500        200    700       –         1,000
 *
 * The request `deducted` the 300, so they cover nothing of its 700. The 500 are in Razorpay's sum alone: their refund is not
 * listed yet.
 */
export function moneyOf(state: State, paymentId: string): Money {
  const payment = state.payments.find(({ id }) => id === paymentId)
  if (payment === undefined) throw new Error(`there is no payment ${paymentId}`)
  const ofPayment = isOf(paymentId)
  const pendingRefunds = state.pendingRefunds.filter(ofPayment)
  const disputes = state.disputes
    .filter(ofPayment)
    .map((dispute) => ({ ...dispute, amountMinor: shareOf(dispute, payment) }))
  const lostDisputes = disputes.filter((dispute) => dispute.state === 'lost')
  const listed = state.refunds.filter(ofPayment)
  // Razorpay's sum may still count a refund that failed.
  const unlisted = Math.max(0, payment.amountRefundedMinor - sum(listed))
  const all = unlisted === 0 ? listed : [...listed, unlistedRefund(payment, unlisted)]
  const reportedTwice = findReportedTwice(payment, lostDisputes, all, pendingRefunds)
  const refunds = all.filter(({ id, state }) => state !== 'failed' && !reportedTwice.has(id))
  const outflows = [...refunds, ...lostDisputes]
  const covered = coverPending(pendingRefunds, outflows)
  const lost = sum(lostDisputes)
  return {
    refunded: sum(refunds),
    unlisted,
    lost,
    disputed: lost + sum(disputes.filter(isOpenDispute)),
    reportedTwice,
    outflows,
    covered,
    pending: [...covered].reduce((total, [{ amountMinor }, part]) => total + amountMinor - part, 0),
  }
}

/**
 * What a dispute takes of its payment while it is open, and for good if it is lost. The share of one in another currency is
 * unknown here: it takes the whole payment, and notify.ts alerts the operator.
 */
function shareOf(dispute: Dispute, payment: Payment): number {
  return dispute.currency === payment.currency ? dispute.amountMinor : payment.amountMinor
}

/**
 * The id of money that is known from Razorpay's sum alone. Rows of an earlier version may have it in `deducted`. Example: the
 * sum was 500 when such a row of 300 was written. When the refund of 500 is listed later, it covers nothing of the 300.
 */
const UNLISTED = ''

/** Stands for the refunds that are not listed yet. They began before the report with their sum, and no other time is known. */
function unlistedRefund({ id: paymentId, currency, updatedAt }: Payment, amountMinor: number) {
  const refund = { id: UNLISTED, kind: 'refund', paymentId, amountMinor, currency } as const
  const known = { createdAt: updatedAt, updatedAt }
  return { ...refund, ...known, state: 'pending', beganAt: updatedAt, reason: null } as const
}

/**
 * How much of each pending refund is covered. An outflow covers those that did not deduct it, whoever sent it. A refund that
 * fails is no outflow any more, so later money covers its place.
 *
 * A payment has one pending refund today. Of the several that older rows have, the oldest is covered first, and an outflow that
 * can cover the fewest goes first.
 */
function coverPending(
  pendingRefunds: readonly PendingRefund[],
  outflows: readonly Outflow[],
): Map<PendingRefund, number> {
  const covered = new Map(pendingRefunds.map((pending) => [pending, 0]))
  const coverableBy = (outflow: Outflow) =>
    pendingRefunds.filter((pending) => !isDeducted(outflow, pending))
  for (const outflow of outflows.toSorted(
    (one, other) => coverableBy(one).length - coverableBy(other).length,
  )) {
    let rest = outflow.amountMinor
    for (const pending of coverableBy(outflow)) {
      const before = covered.get(pending) ?? 0
      const part = Math.min(rest, pending.amountMinor - before)
      covered.set(pending, before + part)
      rest -= part
    }
  }
  return covered
}

/** Whether an outflow was already deducted when the amount of a pending refund was set. */
function isDeducted({ id, beganAt }: Outflow, pending: PendingRefund): boolean {
  const { deducted, createdAt, refundId } = pending
  if (deducted.includes(id)) return true
  // An older row: what began before it, and was not sent for it.
  return deducted.includes(UNLISTED) && id !== refundId && beganAt <= createdAt + CLOCKS_MS
}
