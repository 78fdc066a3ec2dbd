import { and, eq, gte } from 'drizzle-orm'
import { type TokensByMode, UsageMode } from '../../../src/contract/usage.ts'
import { usageDays } from '../../db/schema/tokens.ts'
import type { Context } from '../context.ts'

/** The tokens of each UTC day and mode since a day. */
export function usageByDay({ db, paymentMode }: Context, userId: string, since: number) {
  return db
    .select({ day: usageDays.day, mode: usageDays.mode, tokens: usageDays.tokens })
    .from(usageDays)
    .where(
      and(
        eq(usageDays.userId, userId),
        eq(usageDays.paymentMode, paymentMode),
        gte(usageDays.day, since),
      ),
    )
}

type Row = Awaited<ReturnType<typeof usageByDay>>[number]

/** The sum of these rows, in all and by mode. */
export function sumOf(rows: readonly Row[]): { tokens: number; byMode: TokensByMode } {
  const byMode = { interview: 0, meeting: 0, sales: 0, negotiation: 0 }
  for (const row of rows) {
    const mode = UsageMode.safeParse(row.mode)
    if (mode.success) byMode[mode.data] += row.tokens
  }
  return { tokens: rows.reduce((sum, { tokens }) => sum + tokens, 0), byMode }
}
