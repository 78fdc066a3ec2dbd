import { and, eq, gte, sql } from 'drizzle-orm'
import type { usageEndpoint } from '../../../src/contract/usage.ts'
import { ledger, usageSessions } from '../../db/schema/tokens.ts'
import { accountQuery, requireAccount } from '../account/account-query.ts'
import { days } from '../time.ts'
import type { SessionVerb } from '../verb.ts'

const day = sql<string>`date(${ledger.createdAt} / 1000, 'unixepoch')`

/** Tokens used on each UTC day of the span, and the totals of the assistant's sessions. */
export const showUsage: SessionVerb<typeof usageEndpoint> = async (ctx, { claims, query }) => {
  const since = startOfDay(ctx.now) - days(query.days - 1)
  const { accounts, used, sessions } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    used: ctx.db
      .select({ day, tokens: sql<number>`-sum(${ledger.tokens})` })
      .from(ledger)
      .where(
        and(
          eq(ledger.userId, claims.userId),
          eq(ledger.paymentMode, ctx.paymentMode),
          eq(ledger.kind, 'use'),
          gte(ledger.createdAt, since),
        ),
      )
      .groupBy(day),
    sessions: ctx.db
      .select({
        completed: sql<number>`count(${usageSessions.endedAt})`,
        rated: sql<number>`count(${usageSessions.hasSucceeded})`,
        succeeded: sql<number>`coalesce(sum(${usageSessions.hasSucceeded}), 0)`,
        secondsSaved: sql<number>`coalesce(sum(${usageSessions.secondsSaved}), 0)`,
      })
      .from(usageSessions)
      .where(eq(usageSessions.userId, claims.userId)),
  })
  const account = requireAccount(accounts)
  const [total] = sessions
  const byDay = new Map(used.map((row) => [row.day, row.tokens]))
  return {
    success: true,
    tokens: { used: account.tokensUsed, total: account.tokensTotal },
    days: daysFrom(since, query.days).map((date) => ({ day: date, tokens: byDay.get(date) ?? 0 })),
    sessions: {
      completed: total?.completed ?? 0,
      successRatePercent: percent(total?.succeeded ?? 0, total?.rated ?? 0),
      secondsSaved: total?.secondsSaved ?? 0,
    },
  }
}

function startOfDay(at: number): number {
  return at - (at % days(1))
}

function daysFrom(since: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(since + days(index)).toISOString().slice(0, 10),
  )
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 100)
}
