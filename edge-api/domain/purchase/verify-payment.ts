import { PURCHASE, SERVER, TOAST } from '../../../src/contract/messages.ts'
import type {
  activateTokenPurchaseEndpoint,
  verifyPaymentEndpoint,
} from '../../../src/contract/purchase.ts'
import { accountQuery, requireAccount } from '../account/account-query.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../refusal.ts'
import type { Claims } from '../account/bearer.ts'
import type { SessionVerb } from '../verb.ts'
import { capturedPayment, confirmPayment } from './confirm-payment.ts'
import { purchaseByOrder, requirePurchase } from './find-purchase.ts'
import type { Purchase } from './purchase-row.ts'
import { settlementAnswer } from './settlement.ts'

interface Triple {
  orderId: string
  paymentId: string
  signature: string
}

/** What the widget's handler received. Somebody else's order is NOT_FOUND; repeating changes nothing. */
export const verifyPayment: SessionVerb<typeof verifyPaymentEndpoint> = async (ctx, call) => {
  const { status } = await confirmTriple(ctx, call.claims, call.body)
  return settlementAnswer(status, TOAST.paymentVerified)
}

/** As `verifyPayment`, with the words for a token pack. */
export const activateTokenPurchase: SessionVerb<typeof activateTokenPurchaseEndpoint> = async (
  ctx,
  call,
) => {
  const { status, sku } = await confirmTriple(ctx, call.claims, call.body)
  return settlementAnswer(status, sku === 'token_pack' ? PURCHASE.tokensPurchased : undefined)
}

async function confirmTriple(
  ctx: Context,
  claims: Claims,
  { orderId, paymentId, signature }: Triple,
): Promise<Pick<Purchase, 'status' | 'sku'>> {
  const [accounts, found, captured] = await ctx.db.batch([
    accountQuery(ctx, claims),
    purchaseByOrder(ctx, orderId),
    capturedPayment(ctx, paymentId),
  ])
  requireAccount(accounts)
  const purchase = requirePurchase(found.filter(({ userId }) => userId === claims.userId))
  const razorpayOrderId = purchase.razorpayOrderId ?? ''
  const triple = { razorpayOrderId, paymentId, signature }
  if (!(await ctx.payments.isCheckoutSignature(triple))) {
    throw new Refusal('SIGNATURE_INVALID', SERVER.signature)
  }
  const { status, sku } = purchase
  if (captured[0]?.purchaseId === purchase.id) return { status, sku }
  const confirmed = await confirmPayment(ctx, purchase, { paymentId })
  return { status: provenStatus(confirmed), sku }
}

/** The signature proves a successful payment: where Razorpay's own list lags, it is under way. */
function provenStatus(status: Purchase['status']): Purchase['status'] {
  return status === 'attempted' ? 'open' : status
}
