import { sql } from 'drizzle-orm'
import { STATEMENT_PAGE, type statementEndpoint } from '../../../src/contract/usage.ts'
import { purchases } from '../../db/schema/purchases.ts'
import { ledger } from '../../db/schema/tokens.ts'
import { entitlementQuery, requireSignedIn } from '../session/account-query.ts'
import type { Context } from '../context.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { days, monthSpan, toIso } from '../time.ts'
import type { SessionHandler } from '../handler.ts'
import { type LedgerRow, toEntry } from './list-ledger.ts'
import { sumOf, usageByDay } from './usage-by-day.ts'

/**
 * A month of the caller's tokens: the balance before and after it, the use by each mode and, a page of entries at a time, a
 * line for each session and day, and one for each entry that is not a use.
 */
export const showStatement: SessionHandler<typeof statementEndpoint> = async (
  ctx,
  { claims, query },
) => {
  const currentMonth = toIso(ctx.now).slice(0, 7)
  const { month = currentMonth } = query
  const span = monthSpan(month)
  const read = () =>
    ctx.db.batch({
      accounts: entitlementQuery(ctx, claims),
      rows: selectLines(ctx, claims.userId, { ...span, cursor: query.cursor }),
      used: usageByDay(ctx, claims.userId, span.start),
      others: selectOthers(ctx, claims.userId, span),
    })
  const { ipPrefix } = ctx.visitor
  const { accounts, rows, used, others } = await ctx.queues.exports.run(
    ipPrefix,
    read,
    claims.userId,
  )
  const { tokensTotal, tokensUsed } = requireSignedIn(accounts)
  const inMonth = sumOf(used.filter(({ day }) => day < span.end))
  const later = sumOf(used.filter(({ day }) => day >= span.end))
  const [other = { inMonth: 0, later: 0 }] = others
  const closing = tokensTotal - tokensUsed + later.tokens - other.later
  const count = rows.reduce((sum, row) => sum + row.count, 0)
  const nextCursor = count < STATEMENT_PAGE ? null : cursorOf(rows)
  return {
    success: true,
    month,
    currentMonth,
    opening: closing + inMonth.tokens - other.inMonth,
    closing,
    used: inMonth.tokens,
    byMode: inMonth.byMode,
    lines: rows.map((row) => ({ ...toEntry(row), count: row.count, firstAt: toIso(row.firstAt) })),
    isWhole: nextCursor === null,
    nextCursor,
  }
}

type Span = ReturnType<typeof monthSpan>
/** `oldest` has the time and the key of its oldest entry, in an order of texts. */
type Line = LedgerRow & { count: number; firstAt: number; oldest: string }

function cursorOf(lines: readonly Line[]): string {
  const [oldest = ''] = lines.map((line) => line.oldest).toSorted()
  return encodeCursor({ at: Number(oldest.slice(0, 16)), id: oldest.slice(16) })
}

function selectLines(
  { db, paymentMode }: Context,
  userId: string,
  { start, end, cursor }: Span & { cursor: string | undefined },
) {
  const after = cursor === undefined ? { at: end, id: '' } : decodeCursor(cursor)
  return db.all<Line>(sql`
    SELECT min(ref) AS ref, kind, sum(tokens) AS tokens, purchase_id AS purchaseId,
      (SELECT p.sku FROM ${purchases} p WHERE p.id = purchase_id) AS sku,
      usage_session_id AS usageSessionId, usage_mode AS usageMode,
      min(created_at) AS firstAt, max(created_at) AS createdAt, count(*) AS count,
      min(printf('%016d', created_at) || ref) AS oldest
    FROM (
      SELECT * FROM ${ledger}
      WHERE user_id = ${userId} AND payment_mode = ${paymentMode}
        AND created_at >= ${start} AND (created_at, ref) < (${after.at}, ${after.id})
      ORDER BY created_at DESC, ref DESC LIMIT ${STATEMENT_PAGE}
    )
    GROUP BY created_at - created_at % ${days(1)}, kind, usage_mode,
      CASE kind WHEN 'use' THEN coalesce(usage_session_id, '') ELSE ref END
    ORDER BY createdAt DESC, ref DESC`)
}

/** The tokens given and taken by entries that are not uses, in the month and after it. */
function selectOthers({ db, paymentMode }: Context, userId: string, { start, end }: Span) {
  return db.all<{ inMonth: number; later: number }>(sql`
    SELECT coalesce(sum(iif(created_at < ${end}, tokens, 0)), 0) AS inMonth,
      coalesce(sum(iif(created_at < ${end}, 0, tokens)), 0) AS later
    FROM ${ledger}
    WHERE user_id = ${userId} AND payment_mode = ${paymentMode}
      AND created_at >= ${start} AND kind <> 'use'`)
}
