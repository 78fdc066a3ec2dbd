import { eq } from 'drizzle-orm'
import type { AccountEventKind } from '../../../src/contract/notice.ts'
import { PURCHASE, TOAST } from '../../../src/contract/messages.ts'
import type {
  cancelSubscriptionEndpoint,
  currentSubscriptionEndpoint,
  reactivateSubscriptionEndpoint,
} from '../../../src/contract/subscription.ts'
import { purchases } from '../../db/schema/purchases.ts'
import type { Context, Claims } from '../context.ts'
import { ApiError } from '../api-error.ts'
import type { SessionHandler } from '../handler.ts'
import { recordEvent } from '../account/record-event.ts'
import {
  accountQuery,
  entitlementQuery,
  readAccount,
  requireSignedIn,
} from '../session/account-query.ts'
import { subscriptionOf } from '../entitlement/plan.ts'

/** Plan, period and tokens of the caller. */
export const currentSubscription: SessionHandler<typeof currentSubscriptionEndpoint> = async (
  ctx,
  { claims },
) => {
  const { entitlements } = await ctx.db.batch({ entitlements: entitlementQuery(ctx, claims) })
  const entitlement = requireSignedIn(entitlements)
  return {
    success: true,
    subscription: subscriptionOf(entitlement, ctx.now),
    tokens: { used: entitlement.tokensUsed, total: entitlement.tokensTotal },
  }
}

/** Lets the plan end with its period. Cancelling again changes nothing. */
export const cancelPlan: SessionHandler<typeof cancelSubscriptionEndpoint> = async (ctx, call) => {
  const { planId, state } = await findPlan(ctx, call.claims)
  if (planId === null || state.status !== 'active') {
    throw new ApiError('NOTHING_TO_CHANGE', PURCHASE.nothingToCancel)
  }
  const subscription = state.cancelAtPeriodEnd
    ? state
    : await saveCancelled(ctx, call.claims, { planId, at: ctx.now, kind: 'plan_cancelled' })
  return { success: true, message: TOAST.cancelled, subscription }
}

/** Undoes a cancellation before the period ends. */
export const reactivatePlan: SessionHandler<typeof reactivateSubscriptionEndpoint> = async (
  ctx,
  call,
) => {
  const { planId, state } = await findPlan(ctx, call.claims)
  if (planId === null || state.status !== 'active' || !state.cancelAtPeriodEnd) {
    throw new ApiError('NOTHING_TO_CHANGE', PURCHASE.nothingToReactivate)
  }
  const change = { planId, at: null, kind: 'plan_reactivated' } as const
  const subscription = await saveCancelled(ctx, call.claims, change)
  return { success: true, message: TOAST.reactivated, subscription }
}

async function findPlan(ctx: Context, claims: Claims) {
  const account = await readAccount(ctx, claims)
  return { planId: account.planId, state: subscriptionOf(account, ctx.now) }
}

interface Change {
  planId: string
  at: number | null
  kind: AccountEventKind
}

async function saveCancelled(ctx: Context, claims: Claims, { planId, at, kind }: Change) {
  const { accounts } = await ctx.db.batch({
    changed: ctx.db.update(purchases).set({ cancelledAt: at }).where(eq(purchases.id, planId)),
    event: recordEvent(ctx, { userId: claims.userId, kind }),
    accounts: accountQuery(ctx, claims),
  })
  return subscriptionOf(requireSignedIn(accounts), ctx.now)
}
