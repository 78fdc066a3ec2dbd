import { and, eq, sql } from 'drizzle-orm'
import { type Act, DESK_ACT } from '../../../../src/contract/desk-acts.ts'
import { purchases } from '../../../db/schema/purchases.ts'
import { users } from '../../../db/schema/users.ts'
import { isTakenBack, latestPlanOf, planEndsAt } from '../../account/plan.ts'
import type { Context } from '../../context.ts'
import { dayInWords, days as daysInMs } from '../../time.ts'
import {
  asSupport,
  inOneBatch,
  notify,
  type PlannedAct,
  refuse,
  requireTarget,
  targetQuery,
} from '../planned-act.ts'

/**
 * Adds days to the latest plan of an account, as goodwill. NOTHING_TO_CHANGE without a plan that counts, or when it would
 * have ended all the same. Tokens and money stay as they are.
 */
export async function planExtendPlan(
  operatorCtx: Context,
  { userId, days }: Extract<Act, { kind: 'extend_plan' }>,
): Promise<PlannedAct> {
  const ctx = asSupport(operatorCtx)
  const { db, now } = ctx
  const { targets, plans } = await db.batch({
    targets: targetQuery(ctx, userId),
    plans: db
      .select({
        id: purchases.id,
        extraDays: purchases.extraDays,
        endsAt: planEndsAt,
        isTakenBack: isTakenBack(ctx).mapWith(Boolean),
      })
      .from(users)
      .innerJoin(purchases, eq(purchases.id, latestPlanOf(ctx, users.id)))
      .where(eq(users.id, userId)),
  })
  requireTarget(targets)
  const [plan] = plans
  if (plan === undefined || plan.isTakenBack) throw refuse(DESK_ACT.noPlan)
  const endsAt = plan.endsAt + daysInMs(days)
  if (endsAt <= now) throw refuse(DESK_ACT.endsAnyway)
  // A second click finds another number of days.
  const isThis = and(eq(purchases.id, plan.id), eq(purchases.extraDays, plan.extraDays))
  return {
    changes: [
      `The plan ends on ${dayInWords(endsAt)} instead of ${dayInWords(plan.endsAt)}.`,
      'A notification tells the customer. No tokens are added.',
    ],
    subject: plan.id,
    carryOut: inOneBatch(
      ctx,
      sql`EXISTS (SELECT 1 FROM ${purchases} WHERE ${isThis} AND NOT ${isTakenBack(ctx)})`,
      (isWritten) => ({
        extended: db
          .update(purchases)
          .set({ extraDays: plan.extraDays + days })
          .where(and(isThis, isWritten)),
        event: notify(ctx, userId, {
          text: `Our support extended your plan until ${dayInWords(endsAt)}.`,
          when: isWritten,
        }),
      }),
    ),
  }
}
