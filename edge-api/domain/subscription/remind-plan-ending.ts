import {
  and,
  asc,
  type Column,
  eq,
  gt,
  gte,
  isNull,
  lte,
  not,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { purchases } from '../../db/schema/purchases.ts'
import { accountEvents } from '../../db/schema/records.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { enqueueMails } from '../mail/outbox.ts'
import { days } from '../time.ts'
import { accountEventRow } from '../account/record-event.ts'
import { isReversed, latestPlanOf, planEndsAt } from '../entitlement/plan.ts'

/** The buyer is notified once from 14 to 3 days before a plan ends, and once in the last three days. */
const STEPS = [
  { step: 14, next: 3 },
  { step: 3, next: 0 },
]
/** Plans that one statement reads. */
const PAGE_ROWS = 200

/**
 * Notifies users whose plan ends soon, also by mail unless they switched reminders off.
 *
 * @param endsAt when to stop, in milliseconds UTC; the next day's run continues
 */
export async function remindPlanEnding(ctx: Context, endsAt = Infinity): Promise<void> {
  for (const { step, next } of STEPS) {
    let from: Place | undefined = { endsAt: ctx.now + days(next) + 1, purchaseId: '' }
    while (from !== undefined && ctx.clock() < endsAt) {
      const { page }: { page: EndingPlan[] } = await ctx.db.batch({
        page: selectEnding(ctx, step, from),
      })
      const notNotified = page.filter(({ isNotNotified }) => isNotNotified === 1)
      await ctx.db.batch({ notified: notify(ctx, notNotified, step) })
      from = page.length < PAGE_ROWS ? undefined : page.at(-1)
    }
  }
}

/** Where a page of plans starts: after this one, in the order in which they end. */
interface Place {
  endsAt: number
  purchaseId: string
}

/** A page of the purchases that end within `step` days. It reads only rows that the index finds, so it is quick. */
function selectEnding({ db, now, paymentMode }: Context, step: number, from: Place) {
  const isNotNotified = and(
    eq(purchases.kind, 'plan'),
    eq(purchases.status, 'paid'),
    eq(purchases.paymentMode, paymentMode),
    isNull(users.deletedAt),
    isNull(users.suspendedAt),
    not(isReversed()),
    eq(purchases.id, latestPlanOf({ db, paymentMode }, users.id)),
    sql`NOT EXISTS (
      SELECT 1 FROM ${accountEvents} WHERE ${accountEvents.id} = ${eventId(purchases.id, planEndsAt, step)}
    )`,
  )
  return db
    .select({
      purchaseId: purchases.id,
      userId: users.id,
      email: users.email,
      wantsMail: users.mailReminders,
      endsAt: planEndsAt,
      /** 1 for the latest plan of a user who was not notified of this step yet. */
      isNotNotified: sql<number>`${isNotNotified}`,
    })
    .from(purchases)
    .innerJoin(users, eq(users.id, purchases.userId))
    .where(
      and(
        gte(planEndsAt, from.endsAt),
        or(gt(planEndsAt, from.endsAt), gt(purchases.id, from.purchaseId)),
        lte(planEndsAt, now + days(step)),
      ),
    )
    .orderBy(asc(planEndsAt), asc(purchases.id))
    .limit(PAGE_ROWS)
}

type EndingPlan = Awaited<ReturnType<typeof selectEnding>>[number]

/** Two statements for a whole page: a statement for each plan would take the job minutes with a million users. */
function notify(ctx: Context, plans: EndingPlan[], step: number) {
  // For an older release, after a rollback: mail may leave a day later and the bell shows this for months, so both name the end.
  const daysLeftOf = ({ endsAt }: EndingPlan) => Math.ceil((endsAt - ctx.now) / days(1))
  const events = plans.map((plan) => ({
    ...accountEventRow(ctx, {
      userId: plan.userId,
      kind: 'plan_ending',
      detail: { days: daysLeftOf(plan), endsAt: plan.endsAt },
    }),
    id: `plan_ending:${plan.purchaseId}:${plan.endsAt}:${step}`,
  }))
  const reminders = plans
    .filter(({ wantsMail }) => wantsMail)
    .map((plan) => ({
      kind: 'plan_ending' as const,
      payload: { daysLeft: daysLeftOf(plan), endsAt: plan.endsAt },
      id: `plan-ending:${plan.purchaseId}:${plan.endsAt}:${step}`,
      to: plan.email,
      userId: plan.userId,
    }))
  return [
    ...(events.length === 0
      ? []
      : [ctx.db.insert(accountEvents).values(events).onConflictDoNothing()]),
    ...(reminders.length === 0 ? [] : [enqueueMails(ctx, reminders)]),
  ]
}

/**
 * Contains the end, so that the user of an extended plan is notified of its new end too. The step is bound as text: SQLite
 * joins a bound number as `14.0`.
 */
function eventId(purchaseId: Column, endsAt: SQL, step: number) {
  return sql`'plan_ending:' || ${purchaseId} || ':' || (${endsAt}) || ':' || ${String(step)}`
}
