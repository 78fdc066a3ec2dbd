import type { Subscription } from '../../../src/contract/subscription.ts'
import { days, toIso } from '../time.ts'

/** The latest plan that was paid for, as the database keeps it. */
export interface PaidPlan {
  sku: string
  paidAt: number
  accessDays: number
  cancelledAt: number | null
  /** The payment was given back in full, or is disputed. */
  isTakenBack: boolean
}

/** Status and period of a subscription, derived and never stored (architecture §6). */
export function subscriptionState(plan: PaidPlan | null, now: number): Subscription {
  if (plan === null) {
    return {
      status: 'inactive',
      plan: null,
      currentPeriodStart: null,
      currentPeriodEnd: null,
      cancelAtPeriodEnd: false,
    }
  }
  const endsAt = periodEnd(plan)
  const isOver = endsAt <= now
  return {
    status: statusOf(plan, isOver),
    plan: plan.sku,
    currentPeriodStart: toIso(plan.paidAt),
    currentPeriodEnd: toIso(endsAt),
    cancelAtPeriodEnd: plan.cancelledAt !== null && !isOver,
  }
}

/** When the plan ends, milliseconds UTC. */
function periodEnd(plan: Pick<PaidPlan, 'paidAt' | 'accessDays'>): number {
  return plan.paidAt + days(plan.accessDays)
}

function statusOf(plan: PaidPlan, isOver: boolean): Subscription['status'] {
  if (plan.isTakenBack) return 'past_due'
  if (!isOver) return 'active'
  return plan.cancelledAt === null ? 'inactive' : 'cancelled'
}
