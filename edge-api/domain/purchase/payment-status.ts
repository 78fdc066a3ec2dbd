import { PURCHASE, TOAST } from '../../../src/contract/messages.ts'
import type {
  PurchaseView,
  paymentStatusEndpoint,
  Settlement,
} from '../../../src/contract/purchase.ts'
import { accountQuery, requireAccount } from '../session/account-query.ts'
import { toIso, toIsoOrNull } from '../time.ts'
import type { SessionHandler } from '../handler.ts'
import { type Purchase, purchaseOfUser, requirePurchase } from './find-purchase.ts'
import { itemOf } from './item.ts'

/** One of the caller's purchases as it is stored. Razorpay is not asked, and no details of a payment are shown. */
export const paymentStatus: SessionHandler<typeof paymentStatusEndpoint> = async (
  ctx,
  { claims, params },
) => {
  const { accounts, found } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    found: purchaseOfUser(ctx, claims.userId, params.id),
  })
  requireAccount(accounts)
  return { success: true, payment: toPurchaseView(requirePurchase(found)) }
}

/** A purchase as its user may see it. */
export function toPurchaseView(purchase: Purchase): PurchaseView {
  return {
    purchaseId: purchase.id,
    orderId: purchase.razorpayOrderId,
    // A signature proves a payment that Razorpay has not reported.
    status:
      purchase.status === 'open' && purchase.verifiedAt !== null ? 'attempted' : purchase.status,
    settlement: settlementOf(purchase),
    item: itemOf(purchase).name,
    sku: purchase.sku,
    amount: purchase.amountMinor,
    currency: purchase.currency,
    tokens: purchase.tokens,
    createdAt: toIso(purchase.createdAt),
    paidAt: toIsoOrNull(purchase.paidAt),
  }
}

const SETTLEMENTS = {
  creating: 'pending',
  open: 'pending',
  authorized: 'pending',
  // A failed payment may still succeed later; then the answer is 'paid'.
  attempted: 'failed',
  expired: 'failed',
  paid: 'paid',
  review: 'review',
  refunded: 'refunded',
} as const satisfies Record<Purchase['status'], Settlement>

const MESSAGES: Readonly<Record<Exclude<Settlement, 'paid'>, string>> = {
  pending: PURCHASE.confirming,
  failed: PURCHASE.notPaid,
  review: PURCHASE.needsReview,
  refunded: PURCHASE.refunded,
}

/** The columns from which the status of a purchase follows. */
export type Standing = Pick<Purchase, 'status' | 'verifiedAt'>

/**
 * The meaning of a purchase's status for a caller that waits for the payment. A payment that a signature proves is
 * pending until it arrives, even if an earlier one failed and Razorpay does not answer.
 */
export function settlementOf({ status, verifiedAt }: Standing): Settlement {
  if (status === 'attempted' && verifiedAt !== null) return 'pending'
  return SETTLEMENTS[status]
}

/** The answer of every call that confirms a payment. */
export function settlementAnswer(standing: Standing, paid: string = TOAST.paymentVerified) {
  const status = settlementOf(standing)
  return { success: true as const, message: status === 'paid' ? paid : MESSAGES[status], status }
}
