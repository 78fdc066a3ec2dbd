import type { activateSubscriptionEndpoint } from '../../../src/contract/purchase.ts'
import { accountQuery, requireAccount } from '../account/account-query.ts'
import type { SessionVerb } from '../verb.ts'
import { confirmPurchase } from './confirm-payment.ts'
import { newestPurchases, requirePurchase } from './find-purchase.ts'
import { settlementAnswer, settlementOf } from './settlement.ts'

/**
 * Looks up at Razorpay which of the caller's latest purchases somebody paid, and settles what is found.
 * Answers 'paid' when one became paid by it, else how the newest stands. Grants nothing by itself.
 */
export const activateSubscription: SessionVerb<typeof activateSubscriptionEndpoint> = async (
  ctx,
  { claims },
) => {
  const [accounts, found] = await ctx.db.batch([
    accountQuery(ctx, claims),
    newestPurchases(ctx, claims.userId),
  ])
  requireAccount(accounts)
  const newest = requirePurchase(found)
  const open = found.filter(({ status }) => ['pending', 'failed'].includes(settlementOf(status)))
  const looked = await Promise.all(
    open.map(async (purchase) => ({ purchase, status: await confirmPurchase(ctx, purchase) })),
  )
  const telling =
    looked.find(({ status }) => status === 'paid') ??
    looked.find(({ purchase }) => purchase === newest)
  return settlementAnswer(telling?.status ?? newest.status)
}
