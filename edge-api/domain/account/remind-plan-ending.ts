import { and, eq, gt, isNull, lte, sql } from 'drizzle-orm'
import { grants, purchases } from '../../db/schema/purchases.ts'
import { accountEvents } from '../../db/schema/records.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { days } from '../time.ts'
import { accountEventRow } from './account-event.ts'
import { latestPlanOf, planEndsAt } from './plan.ts'

/** Days before the end at which the user is notified, once each. */
const STEPS = [14, 3] as const
/** One run notifies at most this many users; the next day's run continues. */
const AT_MOST = 200

/** Notifies users whose plan ends soon, also by mail unless they switched reminders off. */
export async function remindPlanEnding(ctx: Context): Promise<void> {
  for (const step of STEPS) {
    const { ending } = await ctx.db.batch({ ending: findEnding(ctx, step) })
    await ctx.db.batch({ told: ending.flatMap((plan) => tell(ctx, plan, step)) })
  }
}

interface EndingPlan {
  purchaseId: string
  userId: string
  email: string
  wantsMail: boolean
  endsAt: number
}

/** Latest plans that end within `step` days and whose users were not notified of it yet. */
function findEnding({ db, now, paymentMode }: Context, step: number) {
  return db
    .select({
      purchaseId: purchases.id,
      userId: users.id,
      email: users.email,
      wantsMail: users.mailReminders,
      endsAt: planEndsAt,
    })
    .from(grants)
    .innerJoin(purchases, eq(purchases.id, grants.purchaseId))
    .innerJoin(users, eq(users.id, grants.userId))
    .where(
      and(
        eq(purchases.kind, 'plan'),
        eq(purchases.status, 'paid'),
        eq(grants.paymentMode, paymentMode),
        isNull(users.deletedAt),
        gt(planEndsAt, now),
        lte(planEndsAt, now + days(step)),
        eq(purchases.id, latestPlanOf({ db, paymentMode }, users.id)),
        sql`NOT EXISTS (
          SELECT 1 FROM ${accountEvents} WHERE ${accountEvents.id} = ${eventId(sql`${purchases.id}`, step)}
        )`,
      ),
    )
    .limit(AT_MOST)
}

function tell(ctx: Context, plan: EndingPlan, step: number) {
  const daysLeft = Math.ceil((plan.endsAt - ctx.now) / days(1))
  const event = {
    ...accountEventRow(ctx, {
      userId: plan.userId,
      kind: 'plan_ending',
      detail: { days: daysLeft },
    }),
    id: `plan_ending:${plan.purchaseId}:${step}`,
  }
  const notice = ctx.db.insert(accountEvents).values(event).onConflictDoNothing()
  if (!plan.wantsMail) return [notice]
  const mail = enqueueMail(ctx, {
    kind: 'plan_ending',
    payload: { daysLeft },
    id: `plan-ending:${plan.purchaseId}:${step}`,
    to: plan.email,
    userId: plan.userId,
  })
  return [notice, mail]
}

function eventId(purchaseId: ReturnType<typeof sql>, step: number) {
  return sql`'plan_ending:' || ${purchaseId} || ':' || ${step}`
}
