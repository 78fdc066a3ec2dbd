import { eq, sql } from 'drizzle-orm'
import type { usageEndpoint } from '../../../src/contract/usage.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { ledger, usageTotals } from '../../db/schema/tokens.ts'
import { accountQuery, requireSignedIn } from '../session/account-query.ts'
import { isTurnedOff } from '../flags/flags.ts'
import { dayOf, days, toIso } from '../time.ts'
import type { Context } from '../context.ts'
import type { SessionHandler } from '../handler.ts'
import { sumOf, usageByDay } from './usage-by-day.ts'

/** The totals of a user who ended no usage session yet. */
const NO_SESSIONS = { completed: 0, rated: 0, succeeded: 0, secondsSaved: 0 }

/** Tokens used on each UTC day of the span, and the totals of the usage sessions. */
export const showUsage: SessionHandler<typeof usageEndpoint> = async (ctx, { claims, query }) => {
  const since = days(dayOf(ctx.now) - query.days + 1)
  const { accounts, used, totals, newcomer } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    used: usageByDay(ctx, claims.userId, since),
    totals: ctx.db.select().from(usageTotals).where(eq(usageTotals.userId, claims.userId)),
    newcomer: selectNewcomer(ctx, claims.userId),
  })
  const account = requireSignedIn(accounts)
  const { completed, rated, succeeded, secondsSaved } = totals[0] ?? NO_SESSIONS
  const byDay = Map.groupBy(used, ({ day }) => day)
  return {
    success: true,
    tokens: { used: account.tokensUsed, total: account.tokensTotal },
    days: Array.from({ length: query.days }, (_, index) => {
      const day = since + days(index)
      return { day: toIso(day).slice(0, 10), ...sumOf(byDay.get(day) ?? []) }
    }),
    sessions: {
      completed,
      successRatePercent: rated === 0 ? 0 : Math.round((succeeded / rated) * 100),
      secondsSaved,
    },
    newcomer: {
      trialTokens: newcomer[0]?.trialTokens ?? 0,
      isTrialOn: newcomer[0]?.isTrialOn === 1,
      hasDesktopApp: newcomer[0]?.hasDesktopApp === 1,
    },
  }
}

function selectNewcomer({ db, paymentMode }: Context, userId: string) {
  return db.all<{ trialTokens: number | null; isTrialOn: number; hasDesktopApp: number }>(sql`
    SELECT (
        SELECT l.tokens FROM ${ledger} l
        WHERE l.ref = ${`trial:${userId}`} AND l.payment_mode = ${paymentMode}
      ) AS trialTokens,
      NOT ${isTurnedOff('trial')} AS isTrialOn,
      EXISTS (
        SELECT 1 FROM ${sessions} s WHERE s.user_id = ${userId} AND s.kind = 'desktop'
      ) AS hasDesktopApp
  `)
}
