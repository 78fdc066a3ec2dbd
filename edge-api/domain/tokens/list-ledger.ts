import { and, desc, eq, gte, lt, sql } from 'drizzle-orm'
import { findItem } from '../../../src/contract/catalogue.ts'
import { UsageMode, type ledgerEndpoint, type LedgerEntry } from '../../../src/contract/usage.ts'
import { purchases } from '../../db/schema/purchases.ts'
import { ledger } from '../../db/schema/tokens.ts'
import { accountQuery, requireAccount } from '../account/account-query.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { monthSpan, toIso } from '../time.ts'
import type { Call, SessionHandler } from '../handler.ts'

type Query = Call<typeof ledgerEndpoint>['query']

/** The entries of the caller's ledger, newest first, a page at a time, optionally of one month (UTC) or kind. */
export const listLedger: SessionHandler<typeof ledgerEndpoint> = async (ctx, { claims, query }) => {
  const { accounts, rows } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    rows: ctx.db
      .select({ entry: ledger, sku: purchases.sku })
      .from(ledger)
      .leftJoin(purchases, eq(purchases.id, ledger.purchaseId))
      .where(
        and(
          eq(ledger.userId, claims.userId),
          eq(ledger.paymentMode, ctx.paymentMode),
          conditionOf(query),
        ),
      )
      .orderBy(desc(ledger.createdAt), desc(ledger.ref))
      .limit(query.limit + 1),
  })
  requireAccount(accounts)
  const page = rows.slice(0, query.limit)
  const last = page.at(-1)?.entry
  const nextCursor =
    rows.length > query.limit && last ? encodeCursor({ at: last.createdAt, id: last.ref }) : null
  return {
    success: true,
    entries: page.map(({ entry, sku }) => toEntry({ ...entry, sku })),
    nextCursor,
  }
}

function conditionOf({ cursor, month, kind }: Query) {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const span = month === undefined ? undefined : monthSpan(month)
  return and(
    // As one value, because SQLite then starts at this place in the index.
    after && sql`(${ledger.createdAt}, ${ledger.ref}) < (${after.at}, ${after.id})`,
    span && and(gte(ledger.createdAt, span.start), lt(ledger.createdAt, span.end)),
    // Spelled as in the index of the entries that are not uses, which are few.
    kind === undefined || kind === 'use' ? undefined : sql`${ledger.kind} <> 'use'`,
    kind && eq(ledger.kind, kind),
  )
}

type Entry = typeof ledger.$inferSelect
/** The columns that the API shows of an entry. */
export type LedgerRow = Omit<Entry, 'userId' | 'paymentMode'> & { sku: string | null }

/** An entry as the API shows it. */
export function toEntry({ sku, ...row }: LedgerRow): LedgerEntry {
  const mode = UsageMode.safeParse(row.usageMode)
  return {
    id: row.ref,
    kind: row.kind,
    tokens: row.tokens,
    purchaseId: row.purchaseId,
    item: sku === null ? null : (findItem(sku)?.name ?? sku),
    sessionId: row.usageSessionId,
    mode: mode.success ? mode.data : null,
    createdAt: toIso(row.createdAt),
  }
}
