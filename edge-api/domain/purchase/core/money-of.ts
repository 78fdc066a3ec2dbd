import { findReportedTwice } from './reported-twice.ts'
import { isOf, sum } from './rows.ts'
import {
  type Dispute,
  isOpenDispute,
  type Payment,
  type PendingRefund,
  type Refund,
  type State,
} from './state.ts'

/** Sums in minor units. */
interface Money {
  /** By refunds that did not fail, and what is `unlisted`; without what is `reportedTwice`. */
  refunded: number
  /** What Razorpay's sum of refunds (`amountRefundedMinor`) has beyond the refunds that are known by their ids. */
  unlisted: number
  /** In lost disputes. */
  lost: number
  /** In disputes that are open or lost. */
  disputed: number
  /** The ids of refunds that report the money of a lost dispute once more (reported-twice.ts): it counts as lost alone. */
  reportedTwice: ReadonlySet<string>
  /** All money that left us: what makes up `refunded` and `lost`. */
  outflows: readonly Outflow[]
  /** How much of its pending refund is covered: by all outflows but those that its amount `deducted`, whoever sent them. */
  covered: number
  /** How much of its pending refund is not covered, and so still to be sent. */
  outstanding: number
}

type Outflow = Pick<Refund | Dispute, 'id' | 'amountMinor' | 'beganAt'>

/**
 * Where the money of a payment went. Example, of 1,000 that were paid for 1,000 tokens of which none is used:
 *
 *                                          refunded   unlisted   lost   covered   outstanding   tokens due
 *     300 are refunded by hand             300        –          –      –         –             300
 *     the buyer requests a refund of 700   300        –          –      –         700           1,000
 *     we lose a dispute of 200             300        –          200    200       500           1,000
 *     Razorpay's sum of refunds is 800     800        500        200    700       –             1,000
 *
 * The request `deducted` the 300, so they cover nothing of its 700. The 500 are in Razorpay's sum alone: their refund is not
 * listed yet.
 */
export function moneyOf(state: State, paymentId: string): Money {
  const payment = state.payments.find(({ id }) => id === paymentId)
  if (payment === undefined) throw new Error(`there is no payment ${paymentId}`)
  const ofPayment = isOf(paymentId)
  const pendingRefund = state.pendingRefunds.find(ofPayment)
  const disputes = state.disputes
    .filter(ofPayment)
    .map((dispute) => ({ ...dispute, amountMinor: shareOf(dispute, payment) }))
  const lostDisputes = disputes.filter((dispute) => dispute.state === 'lost')
  const listed = state.refunds.filter(ofPayment)
  // Razorpay's sum may still count a refund that failed.
  const unlisted = Math.max(0, payment.amountRefundedMinor - sum(listed))
  const all = unlisted === 0 ? listed : [...listed, unlistedRefund(payment, unlisted)]
  const reportedTwice = findReportedTwice(payment, lostDisputes, all, pendingRefund)
  const refunds = all.filter(({ id, state }) => state !== 'failed' && !reportedTwice.has(id))
  const outflows = [...refunds, ...lostDisputes]
  const covered = coveredOf(pendingRefund, outflows)
  const lost = sum(lostDisputes)
  return {
    refunded: sum(refunds),
    unlisted,
    lost,
    disputed: lost + sum(disputes.filter(isOpenDispute)),
    reportedTwice,
    outflows,
    covered,
    outstanding: (pendingRefund?.amountMinor ?? 0) - covered,
  }
}

/**
 * What a dispute takes of its payment while it is open, and for good if it is lost. The share of one in another currency is
 * unknown here: it takes the whole payment, and notify.ts alerts the operator.
 */
function shareOf(dispute: Dispute, payment: Payment): number {
  return dispute.currency === payment.currency ? dispute.amountMinor : payment.amountMinor
}

/** Stands for the refunds that are not listed yet. They began before the report with their sum, and no other time is known. */
function unlistedRefund({ id: paymentId, currency, updatedAt }: Payment, amountMinor: number) {
  const refund = { id: '', kind: 'refund', paymentId, amountMinor, currency } as const
  const known = { createdAt: updatedAt, updatedAt }
  return { ...refund, ...known, state: 'pending', beganAt: updatedAt, reason: null } as const
}

/** A refund of 500 covers 500 of a request of 700, whoever sent it, unless the request deducted it. If it fails, it covers nothing. */
function coveredOf(pending: PendingRefund | undefined, outflows: readonly Outflow[]): number {
  if (pending === undefined) return 0
  const covering = outflows.filter(({ id }) => !pending.deducted.includes(id))
  return Math.min(pending.amountMinor, sum(covering))
}
