import { isOurs } from './refund-key.ts'
import { CLOCKS_MS, type Dispute, type Payment, type PendingRefund, type Refund } from './state.ts'

/**
 * The ids of refunds that report the money of a lost dispute once more. Razorpay refunds the payment of a dispute that we lose or
 * accept: the amount of the dispute, or what is left of the payment if that is less. Example: of 1,000 that were paid, 300 are
 * refunded by hand; after a dispute of 1,000 is lost, Razorpay refunds 700. Refunded are 300 then, and lost are 1,000.
 *
 * Nothing in such a refund names the dispute. It is one that began after the dispute, that we did not send, and that has exactly
 * this amount; not if a pending refund of this amount was made after the loss and before it. So what somebody refunds by hand after
 * the dispute began is taken for it, if it has exactly this amount and the dispute is lost.
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
        !isOfAmountAfter(dispute, pendingRefund, refund),
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

/** Whether a pending refund of a refund's amount was made after the loss of a dispute, and before the refund. */
function isOfAmountAfter(
  dispute: Dispute,
  pending: PendingRefund | undefined,
  refund: Refund,
): boolean {
  return (
    pending !== undefined &&
    pending.deducted.includes(dispute.id) &&
    pending.amountMinor === refund.amountMinor &&
    refund.beganAt + CLOCKS_MS >= pending.createdAt
  )
}

/** Whether a refund took all that earlier ones had left of a payment. Each of those that failed did so before it was made, or after. */
function tookRest(refund: Refund, refunds: readonly Refund[], paid: number): boolean {
  let rests = new Set([paid])
  for (const earlier of refunds) {
    if (earlier === refund || earlier.beganAt > refund.beganAt) continue
    const without = [...rests].map((rest) => rest - earlier.amountMinor)
    rests = new Set(earlier.state === 'failed' ? [...rests, ...without] : without)
  }
  return rests.has(refund.amountMinor)
}
