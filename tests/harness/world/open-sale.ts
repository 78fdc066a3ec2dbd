import { factsOf, type Facts } from '../../../edge-api/domain/ports/payments.ts'
import type { Purchase } from '../../../edge-api/domain/purchase/purchase-row.ts'
import { settle } from '../../../edge-api/domain/purchase/settle.ts'
import { createAccount } from './account.ts'
import { createPurchase, outcomeOf } from './purchase.ts'
import { createWorld } from './world.ts'

/** An account with a purchase that waits for its money, and ways to tell of it. */
export async function openSale(overrides: Parameters<typeof createPurchase>[2] = {}) {
  const world = createWorld()
  const claims = await createAccount(world.ctx())
  const purchase: Purchase = await createPurchase(world.ctx(), claims.userId, overrides)
  return {
    world,
    claims,
    purchase,
    /** Settles a second later. */
    tell: (parts: Partial<Facts>) => {
      world.advance(1_000)
      return settle(world.ctx(), purchase, factsOf(parts))
    },
    outcome: () => outcomeOf(world.ctx(), purchase),
  }
}
