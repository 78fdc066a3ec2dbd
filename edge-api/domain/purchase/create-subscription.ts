import type { createSubscriptionEndpoint } from '../../../src/contract/purchase.ts'
import type { SessionVerb } from '../verb.ts'
import { placeOrder } from './place-order.ts'
import { requestedPlan } from './requested-plan.ts'

/** The same purchase as `createOrder`, in the words of a subscription: payment is one-time. */
export const createSubscription: SessionVerb<typeof createSubscriptionEndpoint> = async (
  ctx,
  { claims, body, idempotencyKey },
) => {
  const item = requestedPlan(body)
  const { purchaseId, ...checkout } = await placeOrder(ctx, {
    claims,
    idempotencyKey,
    item,
    currency: body.preferredCurrency,
    channel: 'checkout',
  })
  return { success: true, subscription: { id: purchaseId, planName: item.name, ...checkout } }
}
