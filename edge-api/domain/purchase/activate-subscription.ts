import type { activateSubscriptionEndpoint } from '../../../src/contract/purchase.ts'
import { accountQuery, requireAccount } from '../account/account-query.ts'
import type { SessionVerb } from '../verb.ts'
import { confirmPurchase } from './confirm-payment.ts'
import { newestPurchase, requirePurchase } from './find-purchase.ts'
import { settlementAnswer, settlementOf } from './settlement.ts'

/** Looks the caller's newest purchase up at Razorpay and settles what is found. Grants nothing by itself. */
export const activateSubscription: SessionVerb<typeof activateSubscriptionEndpoint> = async (
  ctx,
  { claims },
) => {
  const [accounts, found] = await ctx.db.batch([
    accountQuery(ctx, claims),
    newestPurchase(ctx, claims.userId),
  ])
  requireAccount(accounts)
  const purchase = requirePurchase(found)
  const isOpen = ['pending', 'failed'].includes(settlementOf(purchase.status))
  return settlementAnswer(isOpen ? await confirmPurchase(ctx, purchase) : purchase.status)
}
