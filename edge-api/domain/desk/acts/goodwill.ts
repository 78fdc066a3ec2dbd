import { and, eq, sql } from 'drizzle-orm'
import { DESK_ACT } from '../../../../src/contract/desk-acts.ts'
import { insertFrom } from '../../../db/insert-from.ts'
import { purchases } from '../../../db/schema/purchases.ts'
import { balances, ledger } from '../../../db/schema/tokens.ts'
import { users } from '../../../db/schema/users.ts'
import { isReversed, latestPlanOf, planEndsAt } from '../../account/plan.ts'
import type { Context } from '../../context.ts'
import { inFigures } from '../../format-money.ts'
import { touchMoney } from '../../purchase/save.ts'
import { dayInWords, days as daysInMs } from '../../time.ts'
import {
  type ActOf,
  counted,
  inOneBatch,
  isThere,
  notify,
  type PlannedAct,
  refuse,
  requireTarget,
  targetQuery,
} from '../planned-act.ts'

/** What support gives or takes by hand. */
export const GOODWILL = { adjust_tokens: planAdjustTokens, extend_plan: planExtendPlan }

/**
 * Gives or takes tokens by hand. NOTHING_TO_CHANGE when fewer are left than are to be taken. Given tokens have no
 * refund value. Tokens are taken from given ones first; beyond those they count as used (schema/tokens.ts, `lots`).
 */
async function planAdjustTokens(
  ctx: Context,
  { userId, tokens }: ActOf<'adjust_tokens'>,
): Promise<PlannedAct> {
  const { db, now, paymentMode } = ctx
  const { targets, found } = await db.batch({
    targets: targetQuery(ctx, userId),
    found: db
      .select({ left: sql<number>`${balances.total} - ${balances.used}` })
      .from(balances)
      .where(and(eq(balances.userId, userId), eq(balances.paymentMode, paymentMode))),
  })
  requireTarget(targets)
  const left = found[0]?.left ?? 0
  if (left + tokens < 0) {
    throw refuse(`The account has ${inFigures(left)} tokens left. Remove fewer.`)
  }
  // A second click, or a use in between, finds another number of tokens.
  const leftNow = sql`(SELECT b.total - b.used FROM ${balances} b WHERE b.user_id = u.id AND b.payment_mode = ${paymentMode})`
  const isAsSeen = isThere(userId, sql`coalesce(${leftNow}, 0) = ${left}`)
  const said = `Our support team ${tokens > 0 ? 'added' : 'removed'} ${counted(Math.abs(tokens), 'token')}.`
  return {
    changes: [
      // verify-ledger.ts reads this sentence in old entries too.
      `${inFigures(Math.abs(tokens))} tokens are ${tokens > 0 ? 'given' : 'taken'}: ${inFigures(left)} left now, ${inFigures(left + tokens)} afterwards.`,
      tokens > 0
        ? 'They cannot be refunded.'
        : 'Tokens that support added go first. Bought tokens that go count as used: they cannot be refunded.',
      `The customer gets a notification: "${said}"`,
    ],
    carryOut: inOneBatch(ctx, isAsSeen, (isWritten, entryId) => {
      const ref = `adjustment:${entryId}`
      const row = { ref, userId, tokens, paymentMode, createdAt: now }
      return {
        entry: db.run(insertFrom(ledger, { ...row, kind: 'adjustment' }, sql`WHERE ${isWritten}`)),
        event: notify(ctx, userId, { text: said, when: isWritten }),
      }
    }),
  }
}

/**
 * Adds days to the latest plan of an account, as goodwill. NOTHING_TO_CHANGE without a plan that counts, or when it would
 * still be over. Tokens and money stay as they are.
 */
async function planExtendPlan(
  ctx: Context,
  { userId, days }: ActOf<'extend_plan'>,
): Promise<PlannedAct> {
  const { db, now } = ctx
  const { targets, plans } = await db.batch({
    targets: targetQuery(ctx, userId),
    plans: db
      .select({
        id: purchases.id,
        extraDays: purchases.extraDays,
        endsAt: planEndsAt,
        isReversed: sql`${isReversed()}`.mapWith(Boolean),
      })
      .from(users)
      .innerJoin(purchases, eq(purchases.id, latestPlanOf(ctx, users.id)))
      .where(eq(users.id, userId)),
  })
  requireTarget(targets)
  const [plan] = plans
  if (plan === undefined || plan.isReversed) throw refuse(DESK_ACT.noPlan)
  const endsAt = plan.endsAt + daysInMs(days)
  if (endsAt <= now) throw refuse(DESK_ACT.endsAnyway)
  // A second click finds another number of days.
  const isThis = and(eq(purchases.id, plan.id), eq(purchases.extraDays, plan.extraDays))
  return {
    changes: [
      `The plan ends on ${dayInWords(endsAt)} instead of ${dayInWords(plan.endsAt)}.`,
      'The customer gets a notification. No tokens are added.',
    ],
    subject: plan.id,
    carryOut: inOneBatch(
      ctx,
      sql`EXISTS (SELECT 1 FROM ${purchases} WHERE ${isThis} AND NOT ${isReversed()})`,
      (isWritten) => ({
        extended: db
          .update(purchases)
          .set({ extraDays: plan.extraDays + days })
          .where(and(isThis, isWritten)),
        touched: touchMoney(ctx, userId),
        event: notify(ctx, userId, {
          text: `Our support team extended your plan until ${dayInWords(endsAt)}.`,
          when: isWritten,
        }),
      }),
    ),
  }
}
