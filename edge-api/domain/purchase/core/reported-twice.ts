import { isOurs } from './refund-key.ts'
import {
  CLOCK_SKEW_MS,
  type Dispute,
  type Payment,
  type PendingRefund,
  type Refund,
} from './state.ts'

/**
 * The ids of refunds that report the money of a lost dispute once more. Razorpay refunds the payment of a dispute that we lose or
 * accept: the amount of the dispute, or what is left of the payment if that is less. Example: of 1,000 that were paid, 300 are
 * refunded by hand; after a dispute of 1,000 is lost, Razorpay refunds 700. Refunded are 300 then, and lost are 1,000.
 *
 * Nothing in such a refund names the dispute. It is taken for a report of the loss if all of this holds:
 *
 *     it has exactly this amount
 *     it began after the dispute began
 *     we did not send it
 *     it is not for a request that was made after the loss (isForRequest)
 *
 * So is a refund that somebody makes by hand, if it happens to have exactly this amount.
 */
export function findReportedTwice(
  { amountMinor: paid }: Payment,
  lostDisputes: readonly Dispute[],
  refunds: readonly Refund[],
  pendingRefund: PendingRefund | undefined,
): ReadonlySet<string> {
  const twice = new Set<string>()
  for (const dispute of lostDisputes) {
    const later = refunds.filter(
      (refund) =>
        refund.state !== 'failed' &&
        refund.beganAt >= dispute.beganAt &&
        !twice.has(refund.id) &&
        !isOurs(refund) &&
        !isForRequest(refund, pendingRefund, dispute),
    )
    const same =
      later.find((refund) => refund.amountMinor === dispute.amountMinor) ??
      later.find(
        (refund) => refund.amountMinor < dispute.amountMinor && tookRest(refund, refunds, paid),
      )
    if (same !== undefined) twice.add(same.id)
  }
  return twice
}

/** Whether a refund is for a request that was made after the loss of a dispute: it has its amount, and began after it. */
function isForRequest(
  refund: Refund,
  pending: PendingRefund | undefined,
  dispute: Dispute,
): boolean {
  return (
    pending !== undefined &&
    pending.deducted.includes(dispute.id) &&
    pending.amountMinor === refund.amountMinor &&
    refund.beganAt + CLOCK_SKEW_MS >= pending.createdAt
  )
}

/**
 * Whether a refund took all that earlier ones had left of a payment. An earlier one that failed may have failed before this one was
 * made, or after: both are tried. Example: of 1,000 that were paid, and with an earlier 300 that failed, it is one of 1,000 or 700.
 */
function tookRest(refund: Refund, refunds: readonly Refund[], paid: number): boolean {
  let rests = new Set([paid])
  for (const earlier of refunds) {
    if (earlier === refund || earlier.beganAt > refund.beganAt) continue
    const without = [...rests].map((rest) => rest - earlier.amountMinor)
    rests = new Set(earlier.state === 'failed' ? [...rests, ...without] : without)
  }
  return rests.has(refund.amountMinor)
}
