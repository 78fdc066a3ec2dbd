import type { createOrderEndpoint } from '../../../src/contract/purchase.ts'
import type { SessionVerb } from '../verb.ts'
import { placeOrder } from './place-order.ts'
import { requestedPlan } from './requested-plan.ts'

/** Orders a plan. */
export const createOrder: SessionVerb<typeof createOrderEndpoint> = async (ctx, call) => {
  const { claims, body, idempotencyKey } = call
  const checkout = await placeOrder(ctx, {
    claims,
    idempotencyKey,
    item: requestedPlan(body),
    currency: body.preferredCurrency,
    channel: 'checkout',
  })
  return { success: true, ...checkout }
}
