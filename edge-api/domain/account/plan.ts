import {
  and,
  type Column,
  desc,
  eq,
  exists,
  gt,
  inArray,
  not,
  type Placeholder,
  type SQL,
  sql,
} from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Subscription } from '../../../src/contract/account.ts'
import { grants, pendingRefunds, purchases, refundsAndDisputes } from '../../db/schema/purchases.ts'
import type { Context } from '../context.ts'
import { days, toIso } from '../time.ts'

/** The columns of the latest plan that was paid for; all null without one. */
export interface PaidPlan {
  planSku: string | null
  planPaidAt: number | null
  /** As sold, plus the days that operators added. */
  planAccessDays: number | null
  planCancelledAt: number | null
  /** When the payment was refunded in full, its refund requested, or it was disputed; null while the plan counts. */
  planTakenBackAt: number | null
}

/** Status and period of a subscription: derived from the plan, never stored. */
export function subscriptionOf(paid: PaidPlan, now: number): Subscription {
  const { planSku: plan, planPaidAt, planAccessDays, planTakenBackAt } = paid
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
    takenBackAt: planTakenBackAt === null ? null : toIso(planTakenBackAt),
  }
}

function statusOf(paid: PaidPlan, isOver: boolean): Subscription['status'] {
  if (paid.planTakenBackAt !== null) return 'past_due'
  if (!isOver) return 'active'
  return paid.planCancelledAt === null ? 'inactive' : 'cancelled'
}

/**
 * In SQL, the purchase of the plan that counts: the user's latest in this payment mode that was not taken back, else
 * the latest; null when none was ever paid. It skips token packs, because a user may have many.
 *
 * @param takenBackLast when false, the latest of all, also when it was taken back
 */
export function latestPlanOf(
  { db, paymentMode }: { db: Context['db']; paymentMode: Context['paymentMode'] | Placeholder },
  userId: SQL | Column,
  takenBackLast = true,
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
    .orderBy(...(takenBackLast ? [isTakenBack({ db }, plan)] : []), desc(plan.paidAt))
    .limit(1)
}

/** In SQL, when the plan of a row of `purchases` ends, milliseconds UTC. An index holds this expression. */
export const planEndsAt = sql<number>`${purchases.paidAt} + (${purchases.accessDays} + ${purchases.extraDays}) * ${sql.raw(String(days(1)))}`

/**
 * In SQL, whether the payment that a purchase was granted for was given back in full, is disputed, or was asked back by its
 * buyer. A partial refund by other means, or a partial loss in a dispute that ended, leaves the purchase as it is.
 */
export function isTakenBack(
  { db }: Pick<Context, 'db'>,
  purchase: { id: Column; status: Column } = purchases,
): SQL {
  const dispute = db
    .select({ id: refundsAndDisputes.id })
    .from(refundsAndDisputes)
    .innerJoin(grants, eq(grants.paymentId, refundsAndDisputes.paymentId))
    .where(
      and(
        eq(grants.purchaseId, purchase.id),
        eq(refundsAndDisputes.kind, 'dispute'),
        eq(refundsAndDisputes.state, 'open'),
      ),
    )
  return sql`(${purchase.status} = 'refunded' OR ${exists(dispute)} OR ${exists(askedBack({ db }, purchase.id))})`
}

/** When the buyer asked the money of a purchase back; no row when nobody did. */
function askedBack({ db }: Pick<Context, 'db'>, purchaseId: Column) {
  return db
    .select({ at: pendingRefunds.createdAt })
    .from(pendingRefunds)
    .where(and(eq(pendingRefunds.purchaseId, purchaseId), eq(pendingRefunds.reason, 'asked_for')))
}

/** In SQL, when the payment of a row of `purchases` was asked or given back or disputed, milliseconds UTC; null while it counts. */
export function takenBackAt({ db }: Pick<Context, 'db'>): SQL<number | null> {
  const last = db
    .select({ at: sql`max(${refundsAndDisputes.beganAt})` })
    .from(refundsAndDisputes)
    .innerJoin(grants, eq(grants.paymentId, refundsAndDisputes.paymentId))
    .where(
      and(
        eq(grants.purchaseId, purchases.id),
        inArray(refundsAndDisputes.state, ['open', 'final']),
      ),
    )
  return sql`CASE WHEN ${isTakenBack({ db })} THEN coalesce(
    (${askedBack({ db }, purchases.id)}), (${last}), ${purchases.updatedAt}
  ) END`
}

/** In SQL, whether a user has no active plan and the one bought last was taken back. */
export function hasLostPlans(ctx: Context, userId: SQL): SQL {
  const last = ctx.db
    .select({ id: purchases.id })
    .from(purchases)
    .where(and(eq(purchases.id, latestPlanOf(ctx, userId, false)), isTakenBack(ctx)))
  return sql`(${exists(last)} AND NOT ${hasActivePlan(ctx, userId)})`
}

/** In SQL, whether a user's subscription is active; it agrees with `subscriptionOf`. */
export function hasActivePlan(ctx: Context, userId: SQL): SQL {
  return exists(
    ctx.db
      .select({ id: purchases.id })
      .from(purchases)
      .where(
        and(
          eq(purchases.id, latestPlanOf(ctx, userId)),
          not(isTakenBack(ctx)),
          gt(planEndsAt, ctx.now),
        ),
      ),
  )
}
