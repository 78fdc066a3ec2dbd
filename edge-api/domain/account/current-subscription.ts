import type { currentSubscriptionEndpoint } from '../../../src/contract/subscription.ts'
import type { SessionVerb } from '../verb.ts'
import { accountQuery, requireAccount } from './account-query.ts'
import { subscriptionState } from './subscription-state.ts'
import { paidPlanOf } from './to-user.ts'

/** Plan, period and tokens of the caller. */
export const currentSubscription: SessionVerb<typeof currentSubscriptionEndpoint> = async (
  ctx,
  { claims },
) => {
  const { accounts } = await ctx.db.batch({ accounts: accountQuery(ctx, claims) })
  const account = requireAccount(accounts)
  return {
    success: true,
    subscription: subscriptionState(paidPlanOf(account), ctx.now),
    tokens: { used: account.tokensUsed, total: account.tokensTotal },
  }
}
