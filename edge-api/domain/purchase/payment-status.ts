import type { PaymentState, paymentStatusEndpoint } from '../../../src/contract/purchase.ts'
import { accountQuery, requireAccount } from '../account/account-query.ts'
import { toIso, toIsoOrNull } from '../time.ts'
import type { SessionVerb } from '../verb.ts'
import { purchaseOfOwner, requirePurchase } from './find-purchase.ts'
import { itemOf } from './item.ts'
import type { Purchase } from './purchase-row.ts'
import { settlementOf } from './settlement.ts'

/** One of the caller's purchases as it stands here: Razorpay is not asked, nothing of a payment shown. */
export const paymentStatus: SessionVerb<typeof paymentStatusEndpoint> = async (
  ctx,
  { claims, params },
) => {
  const [accounts, found] = await ctx.db.batch([
    accountQuery(ctx, claims),
    purchaseOfOwner(ctx, claims.userId, params.id),
  ])
  requireAccount(accounts)
  return { success: true, payment: toPaymentState(requirePurchase(found)) }
}

/** A purchase as its owner may see it. */
export function toPaymentState(purchase: Purchase): PaymentState {
  return {
    purchaseId: purchase.id,
    orderId: purchase.razorpayOrderId,
    status: purchase.status,
    settlement: settlementOf(purchase.status),
    item: itemOf(purchase).name,
    sku: purchase.sku,
    amount: purchase.amountMinor,
    currency: purchase.currency,
    tokens: purchase.tokens,
    createdAt: toIso(purchase.createdAt),
    paidAt: toIsoOrNull(purchase.paidAt),
  }
}
