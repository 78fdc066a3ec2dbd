import { TOKEN_PACK } from '../../../src/contract/catalogue.ts'
import type {
  Checkout,
  createOrderEndpoint,
  createSubscriptionEndpoint,
  createTokenOrderEndpoint,
} from '../../../src/contract/purchase.ts'
import type { Context } from '../context.ts'
import type { SessionHandler } from '../handler.ts'
import { withProvider } from './ask-razorpay.ts'
import { openPurchase, type PurchaseRequest } from './open-purchase.ts'
import { type Purchase, requestedPlan, saleNotes } from './purchase.ts'

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

/** Opens a purchase with its order at Razorpay, ready for the checkout widget. */
async function placeOrder(
  ctx: Context,
  request: Omit<PurchaseRequest, 'channel'>,
): Promise<Checkout> {
  const { id, razorpayOrderId, amountMinor, currency } = await openPurchase(
    ctx,
    { ...request, channel: 'checkout' },
    (purchase) => withOrder(ctx, purchase),
  )
  const { payments, paymentMode, brand } = ctx
  return {
    purchaseId: id,
    seller: { name: brand.productName, color: brand.colour.ink },
    order: { id: razorpayOrderId, amount: amountMinor, currency },
    upiEnabled: currency === 'INR',
    razorpayKeyId: payments.keyId,
    checkoutScript: payments.checkoutScript,
    mode: paymentMode,
  }
}

type Ordered = Purchase & { razorpayOrderId: string }

const hasOrder = (purchase: Purchase): purchase is Ordered => purchase.razorpayOrderId !== null

async function withOrder(ctx: Context, purchase: Purchase): Promise<Ordered> {
  if (hasOrder(purchase)) return purchase
  const { id: purchaseId, amountMinor, currency } = purchase
  const order = { purchaseId, amountMinor, currency, notes: saleNotes(purchase) }
  const razorpayOrderId = await withProvider(ctx, () => ctx.payments.createOrder(order))
  return { ...purchase, razorpayOrderId }
}
