import { and, eq, isNull } from 'drizzle-orm'
import type { Checkout } from '../../../src/contract/purchase.ts'
import { purchases } from '../../db/schema/purchases.ts'
import type { Context } from '../context.ts'
import { requirePurchase } from './find-purchase.ts'
import { openPurchase, type Wish } from './open-purchase.ts'
import type { Purchase } from './purchase-row.ts'
import { projectStatus } from './settling/follow-money.ts'
import { withProvider } from './with-provider.ts'

/**
 * A purchase with its order at Razorpay, ready for the checkout widget. Two round trips, or one when
 * the order is there already. When Razorpay's answer is lost the purchase stays `creating`: asking
 * again finds the same order, and the reconcile job does so by itself.
 */
export async function placeOrder(ctx: Context, wish: Wish): Promise<Checkout> {
  const purchase = await openPurchase(ctx, wish)
  if (purchase.razorpayOrderId !== null) return toCheckout(ctx, purchase, purchase.razorpayOrderId)
  const { id: purchaseId, amountMinor, currency } = purchase
  const razorpayOrderId = await withProvider(ctx, () =>
    ctx.payments.createOrder({ purchaseId, amountMinor, currency }),
  )
  const [, , rows] = await ctx.db.batch([
    ctx.db
      .update(purchases)
      .set({ razorpayOrderId })
      .where(and(eq(purchases.id, purchaseId), isNull(purchases.razorpayOrderId))),
    projectStatus(ctx, purchaseId),
    ctx.db.select().from(purchases).where(eq(purchases.id, purchaseId)),
  ])
  // Two at once may have been answered differently: the one that was stored first stands.
  const stored = requirePurchase(rows)
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
