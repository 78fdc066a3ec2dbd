import { and, eq, sql } from 'drizzle-orm'
import { z } from '../../../src/contract/zod.ts'
import { insertFrom } from '../../db/insert-from.ts'
import { purchases } from '../../db/schema/purchases.ts'
import { balances, ledger } from '../../db/schema/tokens.ts'
import { users } from '../../db/schema/users.ts'
import { isReversed, latestPlanOf, planEndsAt } from '../../domain/entitlement/plan.ts'
import type { Context } from '../../domain/context.ts'
import { inFigures } from '../../domain/format-money.ts'
import { bumpMoneyVersion } from '../../domain/purchase/save.ts'
import { dayInWords, days as daysInMs } from '../../domain/time.ts'
import { counted, defineAccountAction, inOneBatch, isThere, notify, reject } from './action.ts'

const TOKENS_MAX = 100_000_000
const TOKENS = 'Enter a whole number of tokens other than 0, at most 100,000,000.'
const DAYS = 'Enter a whole number of days from 1 to 365.'

/** `5000`, `-5,000` and `5 000` as a number; NaN for anything else. */
function numberIn(typed: string): number {
  const digits = typed.replaceAll(/[\s,]/g, '')
  return /^[+-]?\d{1,9}$/.test(digits) ? Number(digits) : NaN
}

/** A whole number, as typed. */
function whole(says: string, { min, max }: { min: number; max: number }) {
  return z
    .string(says)
    .max(20, says)
    .transform(numberIn)
    .pipe(z.int(says).min(min, says).max(max, says))
}

/**
 * Gives or takes tokens by hand. Given tokens have no refund value. Tokens are taken from given ones first; beyond those they
 * count as used (schema/tokens.ts, `lots`).
 */
const adjustTokens = defineAccountAction({
  kind: 'adjust_tokens',
  label: 'Add or remove tokens',
  input: z.object({
    tokens: whole(TOKENS, { min: -TOKENS_MAX, max: TOKENS_MAX }).refine((n) => n !== 0, TOKENS),
  }),
  fields: [{ name: 'tokens', label: 'Tokens', hint: '5000 adds, -5000 removes.' }],
  plan: async (ctx, { id: userId }, { tokens }) => {
    const { db, now, paymentMode } = ctx
    const [[balance]] = await db.batch([leftOf(ctx, userId)])
    const left = balance?.left ?? 0
    if (left + tokens < 0) {
      throw reject(`The account has ${inFigures(left)} tokens left. Remove fewer.`)
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
      ],
      notification: `The customer gets a notification: "${said}"`,
      execute: inOneBatch(ctx, isAsSeen, (isWritten, entryId) => {
        const ref = `adjustment:${entryId}`
        const kind = 'adjustment' as const
        const row = { ref, userId, tokens, paymentMode, createdAt: now, kind }
        return {
          entry: db.run(insertFrom(ledger, row, sql`WHERE ${isWritten}`)),
          event: notify(ctx, userId, { text: said, when: isWritten }),
        }
      }),
    }
  },
})

/** Adds days to the latest plan of an account. Tokens and money stay as they are. */
const extendPlan = defineAccountAction({
  kind: 'extend_plan',
  label: 'Extend the plan',
  input: z.object({ days: whole(DAYS, { min: 1, max: 365 }) }),
  fields: [{ name: 'days', label: 'Days', hint: 'Added to its end, as goodwill.' }],
  plan: async (ctx, { id: userId }, { days }) => {
    const { db, now } = ctx
    const { id, extraDays } = purchases
    const [[plan]] = await db.batch([
      db
        .select({ id, extraDays, endsAt: planEndsAt, isReversed: sql<number>`${isReversed()}` })
        .from(users)
        .innerJoin(purchases, eq(purchases.id, latestPlanOf(ctx, users.id)))
        .where(eq(users.id, userId)),
    ])
    if (plan === undefined || plan.isReversed === 1) {
      throw reject('The account has no plan, or its plan was refunded or is in dispute.')
    }
    const endsAt = plan.endsAt + daysInMs(days)
    if (endsAt <= now)
      throw reject('The plan would still have ended before today. Enter more days.')
    // A second click finds another number of days.
    const isThis = and(eq(id, plan.id), eq(extraDays, plan.extraDays))
    const said = `Our support team extended your plan until ${dayInWords(endsAt)}.`
    return {
      changes: [
        // verify-ledger.ts reads this sentence.
        `The plan ends on ${dayInWords(endsAt)} instead of ${dayInWords(plan.endsAt)}.`,
        'No tokens are added.',
      ],
      notification: `The customer gets a notification: "${said}"`,
      subject: plan.id,
      execute: inOneBatch(
        ctx,
        sql`EXISTS (SELECT 1 FROM ${purchases} WHERE ${isThis} AND NOT ${isReversed()})`,
        (isWritten) => ({
          extended: db
            .update(purchases)
            .set({ extraDays: plan.extraDays + days })
            .where(and(isThis, isWritten)),
          touched: bumpMoneyVersion(ctx, userId),
          event: notify(ctx, userId, { text: said, when: isWritten }),
        }),
      ),
    }
  },
})

/** The tokens that an account has left; no row for one that never had any. */
export function leftOf({ db, paymentMode }: Context, userId: string) {
  return db
    .select({ left: sql<number>`${balances.total} - ${balances.used}` })
    .from(balances)
    .where(and(eq(balances.userId, userId), eq(balances.paymentMode, paymentMode)))
}

/** What support gives or takes by hand. */
export const GOODWILL_ACTIONS = [adjustTokens, extendPlan]
