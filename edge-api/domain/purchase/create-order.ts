import { and, eq, isNull } from 'drizzle-orm'
import { TOKEN_PACK } from '../../../src/contract/catalogue.ts'
import type {
  Checkout,
  createOrderEndpoint,
  createSubscriptionEndpoint,
  createTokenOrderEndpoint,
} from '../../../src/contract/purchase.ts'
import { purchases } from '../../db/schema/purchases.ts'
import type { Context } from '../context.ts'
import type { SessionHandler } from '../handler.ts'
import { withProvider } from './ask-razorpay.ts'
import { openedStatus, type Purchase, purchasesWhere, requirePurchase } from './find-purchase.ts'
import { requestedPlan, saleNotes } from './item.ts'
import { openPurchase, type PurchaseRequest, rejectIfOver } from './open-purchase.ts'
import { touchMoney } from './save.ts'

/** Orders a plan. */
export const createOrder: SessionHandler<typeof createOrderEndpoint> = async (
  ctx,
  { claims, body, idempotencyKey },
) => {
  const request = { claims, idempotencyKey, ...requestedPlan(body) }
  return { success: true, ...(await placeOrder(ctx, request)) }
}

/** The same purchase as `createOrder`, as the API calls a subscription. Payment is one-time. */
export const createSubscription: SessionHandler<typeof createSubscriptionEndpoint> = async (
  ctx,
  { claims, body, idempotencyKey },
) => {
  const request = { claims, idempotencyKey, ...requestedPlan(body) }
  const { purchaseId: id, ...checkout } = await placeOrder(ctx, request)
  return { success: true, subscription: { id, planName: request.item.name, ...checkout } }
}

/** Orders a token pack, for accounts with an active plan. */
export const createTokenOrder: SessionHandler<typeof createTokenOrderEndpoint> = async (
  ctx,
  { claims, body, idempotencyKey },
) => {
  const request = { claims, idempotencyKey, item: TOKEN_PACK, currency: body.currency }
  return { success: true, ...(await placeOrder(ctx, request)) }
}

/**
 * Opens a purchase with its order at Razorpay, ready for the checkout widget. Takes two round trips, or one when the
 * order exists already. When Razorpay's answer is lost the purchase stays `creating`: asking again finds the same
 * order, and so does the reconcile job.
 */
async function placeOrder(
  ctx: Context,
  request: Omit<PurchaseRequest, 'channel'>,
): Promise<Checkout> {
  const { purchase } = await openPurchase(ctx, { ...request, channel: 'checkout' })
  if (purchase.razorpayOrderId !== null) return toCheckout(ctx, purchase, purchase.razorpayOrderId)
  const { id: purchaseId, amountMinor, currency } = purchase
  const razorpayOrderId = await withProvider(ctx, () =>
    ctx.payments.createOrder({ purchaseId, amountMinor, currency, notes: saleNotes(purchase) }),
  )
  const { rows } = await ctx.db.batch({
    order: ctx.db
      .update(purchases)
      .set({ razorpayOrderId, status: openedStatus, updatedAt: ctx.now })
      .where(and(eq(purchases.id, purchaseId), isNull(purchases.razorpayOrderId))),
    touched: touchMoney(ctx, purchase.userId),
    rows: purchasesWhere(ctx, eq(purchases.id, purchaseId)),
  })
  // Two calls at once may get different orders: the one stored first counts.
  const stored = requirePurchase(rows)
  rejectIfOver(stored)
  return toCheckout(ctx, stored, stored.razorpayOrderId ?? razorpayOrderId)
}

function toCheckout(
  { payments, paymentMode, brand }: Context,
  purchase: Purchase,
  orderId: string,
): Checkout {
  return {
    purchaseId: purchase.id,
    seller: { name: brand.productName, color: brand.colour.ink },
    order: { id: orderId, amount: purchase.amountMinor, currency: purchase.currency },
    upiEnabled: purchase.currency === 'INR',
    razorpayKeyId: payments.keyId,
    checkoutScript: payments.checkoutScript,
    mode: paymentMode,
  }
}
