import { and, desc, eq, sql } from 'drizzle-orm'
import { UsageMode, type ledgerEndpoint, type LedgerEntry } from '../../../src/contract/usage.ts'
import { ledger } from '../../db/schema/tokens.ts'
import { accountQuery, requireAccount } from '../account/account-query.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { toIso } from '../time.ts'
import type { SessionVerb } from '../verb.ts'

/** The entries of the caller's ledger, newest first, a page at a time. */
export const listLedger: SessionVerb<typeof ledgerEndpoint> = async (ctx, { claims, query }) => {
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor)
  // As one value, because SQLite then starts at this place in the index.
  const isAfter =
    after === null
      ? undefined
      : sql`(${ledger.createdAt}, ${ledger.ref}) < (${after.at}, ${after.id})`
  const { accounts, rows } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    rows: ctx.db
      .select()
      .from(ledger)
      .where(
        and(eq(ledger.userId, claims.userId), eq(ledger.paymentMode, ctx.paymentMode), isAfter),
      )
      .orderBy(desc(ledger.createdAt), desc(ledger.ref))
      .limit(query.limit + 1),
  })
  requireAccount(accounts)
  const page = rows.slice(0, query.limit)
  const last = page.at(-1)
  const nextCursor =
    rows.length > query.limit && last ? encodeCursor({ at: last.createdAt, id: last.ref }) : null
  return { success: true, entries: page.map(toEntry), nextCursor }
}

function toEntry(row: typeof ledger.$inferSelect): LedgerEntry {
  const mode = UsageMode.safeParse(row.usageMode)
  return {
    id: row.ref,
    kind: row.kind,
    tokens: row.tokens,
    purchaseId: row.purchaseId,
    sessionId: row.usageSessionId,
    mode: mode.success ? mode.data : null,
    createdAt: toIso(row.createdAt),
  }
}
