import {
  and,
  type Column,
  desc,
  eq,
  gt,
  isNotNull,
  type Placeholder,
  type SQL,
  sql,
} from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Subscription } from '../../../src/contract/account.ts'
import { purchases } from '../../db/schema/purchases.ts'
import type { Context } from '../context.ts'
import { days, toIso } from '../time.ts'

/** The columns of the latest plan that was paid for; all null without one. */
export interface PaidPlan {
  planSku: string | null
  planPaidAt: number | null
  /** As sold, plus the days that operators added. */
  planAccessDays: number | null
  planCancelledAt: number | null
  /** The `reversedAt` of its purchase: null while the plan counts. */
  planReversedAt: number | null
}

/**
 * Status and period of a subscription: derived from the plan, never stored. A plan of 30 days that was paid on 1 November at
 * 10:00 is active until 1 December at 10:00, with two days from an operator until 3 December.
 */
export function subscriptionOf(paid: PaidPlan, now: number): Subscription {
  const { planSku: plan, planPaidAt, planAccessDays, planReversedAt } = paid
  if (plan === null || planPaidAt === null || planAccessDays === null) {
    return {
      status: 'inactive',
      plan: null,
      currentPeriodStart: null,
      currentPeriodEnd: null,
      cancelAtPeriodEnd: false,
      takenBackAt: null,
    }
  }
  const endsAt = planPaidAt + days(planAccessDays)
  const isOver = endsAt <= now
  return {
    status: statusOf(paid, isOver),
    plan,
    currentPeriodStart: toIso(planPaidAt),
    currentPeriodEnd: toIso(endsAt),
    cancelAtPeriodEnd: paid.planCancelledAt !== null && !isOver,
    takenBackAt: planReversedAt === null ? null : toIso(planReversedAt),
  }
}

function statusOf(paid: PaidPlan, isOver: boolean): Subscription['status'] {
  if (paid.planReversedAt !== null) return 'past_due'
  if (!isOver) return 'active'
  return paid.planCancelledAt === null ? 'inactive' : 'cancelled'
}

/**
 * In SQL, the purchase of the plan that counts: the user's latest in this payment mode that was not reversed, else
 * the latest; null when none was ever paid. It skips token packs, because a user may have many.
 */
export function latestPlanOf(
  { db, paymentMode }: { db: Context['db']; paymentMode: Context['paymentMode'] | Placeholder },
  userId: SQL | Column,
) {
  const plan = alias(purchases, 'plan')
  return db
    .select({ id: plan.id })
    .from(plan)
    .where(
      and(
        eq(plan.userId, userId),
        eq(plan.kind, 'plan'),
        gt(plan.paidAt, 0),
        eq(plan.paymentMode, paymentMode),
      ),
    )
    .orderBy(isReversed(plan), desc(plan.paidAt))
    .limit(1)
}

/** In SQL, when the plan of a row of `purchases` ends, milliseconds UTC. An index holds this expression. */
export const planEndsAt = sql<number>`${purchases.paidAt} + (${purchases.accessDays} + ${purchases.extraDays}) * ${sql.raw(String(days(1)))}`

/** In SQL, whether a purchase was reversed: its refund requested, or its payment refunded in full or disputed. */
export const isReversed = (purchase: { reversedAt: Column } = purchases) =>
  isNotNull(purchase.reversedAt)
