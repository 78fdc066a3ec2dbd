import { and, desc, eq, gte, lt, sql } from 'drizzle-orm'
import { findItem } from '../../../src/contract/catalogue.ts'
import { ledgerCsv, ledgerLines } from '../../../src/contract/ledger-csv.ts'
import {
  UsageMode,
  type ledgerEndpoint,
  type LedgerEntry,
  type ledgerFileEndpoint,
} from '../../../src/contract/usage.ts'
import { purchases } from '../../db/schema/purchases.ts'
import { ledger } from '../../db/schema/tokens.ts'
import { accountQuery, readAccount, requireSignedIn } from '../session/account-query.ts'
import type { Context, Claims } from '../context.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { streamTexts } from '../stream-texts.ts'
import { monthSpan, toIso } from '../time.ts'
import type { Call, SessionHandler, StreamHandler } from '../handler.ts'

/** How many entries one statement reads for the file. */
const PAGE = 1_000

type Query = Omit<Call<typeof ledgerEndpoint>['query'], 'limit'>

/** The entries of the caller's ledger, newest first, a page at a time, optionally of one month (UTC) or kind. */
export const listLedger: SessionHandler<typeof ledgerEndpoint> = async (ctx, { claims, query }) => {
  const { accounts, rows } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    rows: selectEntries(ctx, claims, query),
  })
  requireSignedIn(accounts)
  const page = rows.slice(0, query.limit)
  return {
    success: true,
    entries: page.map(({ entry, sku }) => toEntry({ ...entry, sku })),
    nextCursor: rows.length > query.limit ? cursorAfter(page) : null,
  }
}

/** All entries of the caller's ledger, or of a month (UTC), newest first, as a CSV file. Streamed, as a text in JSON. */
export const ledgerFile: StreamHandler<typeof ledgerFileEndpoint> = async (
  ctx,
  { claims, query: { month } },
) => {
  await readAccount(ctx, claims)
  return streamTexts(ctx, claims.userId, fileTexts(ctx, claims, month))
}

async function* fileTexts(ctx: Context, claims: Claims, month: string | undefined) {
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1)
  yield `{"success":true,"csv":"${inJson(ledgerCsv([]))}`
  let cursor: string | undefined
  do {
    const { rows } = await ctx.db.batch({
      rows: selectEntries(ctx, claims, { month, cursor, limit: PAGE - 1 }),
    })
    yield inJson(ledgerLines(rows.map(({ entry, sku }) => toEntry({ ...entry, sku }))))
    cursor = rows.length === PAGE ? cursorAfter(rows) : undefined
  } while (cursor !== undefined)
  yield '"}'
}

/** The statement that reads the entries of a page, and one more. */
function selectEntries(ctx: Context, { userId }: Claims, query: Query & { limit: number }) {
  return ctx.db
    .select({ entry: ledger, sku: purchases.sku })
    .from(ledger)
    .leftJoin(purchases, eq(purchases.id, ledger.purchaseId))
    .where(
      and(eq(ledger.userId, userId), eq(ledger.paymentMode, ctx.paymentMode), conditionOf(query)),
    )
    .orderBy(desc(ledger.createdAt), desc(ledger.ref))
    .limit(query.limit + 1)
}

function cursorAfter(rows: readonly { entry: Entry }[]): string {
  const { createdAt: at = 0, ref: id = '' } = rows.at(-1)?.entry ?? {}
  return encodeCursor({ at, id })
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
