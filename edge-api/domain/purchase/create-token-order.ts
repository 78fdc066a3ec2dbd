import { TOKEN_PACK } from '../../../src/contract/catalogue.ts'
import type { createTokenOrderEndpoint } from '../../../src/contract/purchase.ts'
import type { SessionVerb } from '../verb.ts'
import { placeOrder } from './place-order.ts'

/** Orders a token pack, for accounts with an active plan. */
export const createTokenOrder: SessionVerb<typeof createTokenOrderEndpoint> = async (
  ctx,
  { claims, body, idempotencyKey },
) => {
  const wish = { claims, idempotencyKey, item: TOKEN_PACK, currency: body.currency }
  return { success: true, ...(await placeOrder(ctx, { ...wish, channel: 'checkout' })) }
}
