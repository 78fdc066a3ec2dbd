import { and, asc, desc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type {
  exportDataEndpoint,
  ownSubmissionsEndpoint,
} from '../../../src/contract/data-export.ts'
import { addressCorrections, adminLog } from '../../db/schema/admin.ts'
import { passkeys, totps } from '../../db/schema/factors.ts'
import { submissionEntries } from '../../db/schema/inbox.ts'
import {
  creditNotes,
  pendingRefunds,
  payments,
  purchases,
  receipts,
  refundsAndDisputes,
} from '../../db/schema/purchases.ts'
import { accountEvents, jobApplications, mails, supportTickets } from '../../db/schema/records.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { ledger, usageSessions } from '../../db/schema/tokens.ts'
import type { Context } from '../context.ts'
import { toIso } from '../time.ts'
import type { SessionHandler, StreamHandler } from '../handler.ts'
import { streamTexts } from '../stream-texts.ts'
import { recordEvent } from '../account/record-event.ts'
import { type Account, readConfirmed, toUser } from '../session/account-query.ts'
import { isFrom, type Submissions } from './find-submissions.ts'

/**
 * How many rows one statement reads: 100 of each list at first, then 1,000 of one list. An export has at most 500,000 rows,
 * since a Worker's CPU time is limited; it names the lists that it cuts off.
 */
const SIZE = { first: 100, page: 1_000, whole: 500_000 }
/** What was sent in under the address: each can be as large as a body, and strangers can send them. */
const SUBMISSIONS = { page: 20, newest: 100 }

/**
 * The data of the caller's account as a stream of one JSON document, without hashes, secrets or rows of others.
 * STEP_UP_REQUIRED unless confirmed. Tickets and applications belong to the verified address they were sent from.
 */
export const exportData: StreamHandler<typeof exportDataEndpoint> = async (ctx, { claims }) => {
  const account = await readConfirmed(ctx, claims)
  const note = recordEvent(ctx, { userId: claims.userId, kind: 'data_exported' })
  return streamTexts(ctx, claims.userId, inAnswer(ctx, exportTexts(ctx, account, { note })))
}

async function* inAnswer({ now }: Context, texts: AsyncIterable<string>) {
  yield `{"success":true,"exportedAt":"${toIso(now)}","data":`
  yield* texts
  yield '}'
}

/** The next tickets or applications that were sent in under the caller's verified address, newest first: beyond those of the export. */
export const listSubmissions: SessionHandler<typeof ownSubmissionsEndpoint> = async (
  ctx,
  { claims, query },
) => {
  const { user } = await readConfirmed(ctx, claims)
  const list = listsOf(ctx, user)[query.kind]
  const after = query.before === undefined ? null : [query.before]
  const { rows } = await ctx.db.batch({
    rows: readPage(ctx, list, { after, limit: SUBMISSIONS.page }),
  })
  const last = rows.length === SUBMISSIONS.page ? rows.at(-1) : undefined
  return {
    success: true,
    submissions: rows.map(exportedRow),
    nextBefore: last === undefined ? null : Number(last['key0']),
  }
}

interface Taking {
  /** Records, in the same batch, that somebody took the export. */
  note?: ReturnType<typeof recordEvent> | null
  size?: typeof SIZE
}

/**
 * The export of an account as texts that make one JSON object. It reads pages by key, and holds one at a time. `incomplete`, at
 * its end, names the lists that were cut off.
 */
export async function* exportTexts(
  ctx: Context,
  account: Omit<Account, 'session'>,
  { note = null, size = SIZE }: Taking = {},
): AsyncGenerator<string, void> {
  const { user } = account
  const lists = Object.entries(listsOf(ctx, user))
  const { firsts, older } = await ctx.db.batch({
    note,
    firsts: lists.map(([, list]) =>
      readPage(ctx, list, { after: null, limit: list.page ?? size.first }),
    ),
    older: [olderQuery(ctx, supportTickets, user), olderQuery(ctx, jobApplications, user)],
  })
  const terms = exportedRow({ version: user.termsVersion, acceptedAt: user.termsAcceptedAt })
  const [tickets, applications] = older.map((rows) => rows.map(exportedRow)[0])
  const head = {
    user: toUser(account, ctx.now),
    googleSubject: user.googleSubject,
    terms,
    olderSubmissions: { supportTickets: tickets, jobApplications: applications },
  }
  yield JSON.stringify(head).slice(0, -1)
  const incomplete: string[] = []
  let left = size.whole
  for (const [index, [name, list]] of lists.entries()) {
    yield `,"${name}":[`
    let count = 0
    for await (const rows of pagesOf(ctx, list, { first: firsts[index] ?? [], size })) {
      if (left <= 0 || count >= (list.newest ?? Infinity)) {
        incomplete.push(name)
        break
      }
      yield (count === 0 ? '' : ',') + rows.map((row) => JSON.stringify(exportedRow(row))).join(',')
      count += rows.length
      left -= rows.length
    }
    yield ']'
  }
  yield `,"incomplete":${JSON.stringify(incomplete)}}`
}

/** The rows of a list, a page at a time: none of them is empty. */
async function* pagesOf(
  ctx: Context,
  list: List,
  { first, size }: { first: Rows; size: typeof SIZE },
) {
  let rows = first
  let limit = list.page ?? size.first
  while (rows.length > 0) {
    yield rows
    if (rows.length < limit) return
    limit = list.page ?? size.page
    const after = list.keys.map((_, index) => rows.at(-1)?.[`key${index}`])
    ;({ rows } = await ctx.db.batch({ rows: readPage(ctx, list, { after, limit }) }))
  }
}

type Rows = Record<string, unknown>[]

interface List {
  table: SQLiteTable
  isTheirs: SQL
  columns: Record<string, SQLiteColumn | SQL>
  /** Columns that give each row its place. An index of the account has them in this order, or the list is short. */
  keys: (SQLiteColumn | SQL)[]
  isNewestFirst?: boolean
  /** How many rows one statement reads, and how many of the newest are in the export. */
  page?: number
  newest?: number
}

/** The statement that reads the rows of a list after a key. */
function readPage(
  { db }: Context,
  { table, isTheirs, columns, keys, isNewestFirst = false }: List,
  { after, limit }: { after: readonly unknown[] | null; limit: number },
) {
  const order = isNewestFirst ? desc : asc
  const place = sql`(${sql.join(keys, sql`, `)})`
  const last = sql`(${sql.join(
    (after ?? []).map((value) => sql`${value}`),
    sql`, `,
  )})`
  const isAfter = isNewestFirst ? sql`${place} < ${last}` : sql`${place} > ${last}`
  const named = keys.map((key, index) => [`key${index}`, sql`${key}`] as const)
  return db
    .select({ ...columns, ...Object.fromEntries(named) })
    .from(table)
    .where(and(isTheirs, after === null ? undefined : isAfter))
    .orderBy(...keys.map((key) => order(key)))
    .limit(limit)
}

/**
 * How many tickets or applications of an address are older than the newest hundred, and from when. It reads an index, because
 * the rows are large.
 */
function olderQuery({ db }: Context, table: Submissions, user: Account['user']) {
  const theirs = sql`FROM ${table} WHERE ${isOwn(table, user)}`
  const createdAt = (number: SQL) =>
    sql`(SELECT t.created_at FROM ${table} t WHERE t.number = ${number})`
  return db.all<Record<string, unknown>>(sql`
    WITH older (count, first, last) AS (
      SELECT count(*), min(number), max(number) ${theirs} AND number < (
        SELECT coalesce(min(number), 0) FROM (SELECT number ${theirs} ORDER BY number DESC LIMIT ${SUBMISSIONS.newest})
      )
    )
    SELECT older.count, ${createdAt(sql`older.first`)} AS "firstAt", ${createdAt(sql`older.last`)} AS "lastAt" FROM older`)
}

/** In SQL, whether a ticket or application came from the verified address of an account. */
function isOwn(table: Submissions, { email, emailVerifiedAt }: Account['user']): SQL {
  return emailVerifiedAt === null ? sql`0` : isFrom(table, email)
}

const { paymentMode: mode, ...ledgerColumns } = getTableColumns(ledger)

/** What is stored about an account, by its names in the export. */
function listsOf({ db }: Context, user: Account['user']) {
  const { id } = user
  const own = (
    table: SQLiteTable & { userId: SQLiteColumn },
    columns?: Columns,
    keys?: List['keys'],
  ) => listOf(table, eq(table.userId, id), columns, keys)
  const bought = db.select({ id: purchases.id }).from(purchases).where(eq(purchases.userId, id))
  const about = (table: SQLiteTable & { purchaseId: SQLiteColumn }) =>
    listOf(table, inArray(table.purchaseId, bought))
  const paid = db
    .select({ id: payments.id })
    .from(payments)
    .where(inArray(payments.purchaseId, bought))
  const sentIn = (table: Submissions): List => ({
    table,
    isTheirs: isOwn(table, user),
    columns: { ...getTableColumns(table), written: writtenAbout(table) },
    keys: [table.number],
    isNewestFirst: true,
    ...SUBMISSIONS,
  })
  return {
    passkeys: own(passkeys, PASSKEY),
    authenticatorApps: own(totps, pick(totps, 'createdAt')),
    sessions: own(sessions, SESSION, [sessions.device, rowid]),
    events: own(accountEvents, EVENT, [accountEvents.createdAt, rowid]),
    mails: own(mails, MAIL),
    purchases: own(purchases, PURCHASE, [purchases.id]),
    receipts: about(receipts),
    payments: about(payments),
    refundsAndDisputes: listOf(refundsAndDisputes, inArray(refundsAndDisputes.paymentId, paid)),
    creditNotes: about(creditNotes),
    owedRefunds: about(pendingRefunds),
    actsOfSupport: own(adminLog, ACT, [adminLog.createdAt, rowid]),
    ledger: own(ledger, { ...ledgerColumns, mode }, [ledger.createdAt, ledger.ref]),
    usageSessions: own(usageSessions, undefined, [usageSessions.sessionId]),
    correctedAddresses: own(addressCorrections, CORRECTION),
    supportTickets: sentIn(supportTickets),
    jobApplications: sentIn(jobApplications),
  } satisfies Record<string, List>
}

function listOf(
  table: SQLiteTable,
  isTheirs: SQL,
  columns: Columns = getTableColumns(table),
  keys: List['keys'] = [rowid],
): List {
  return { table, isTheirs, columns, keys }
}

const rowid = sql`rowid`

/** What admins wrote about a ticket or application, as JSON, without the admin, who is somebody else. */
function writtenAbout(table: Submissions) {
  // With its table, because an entry has a column of this name too.
  return sql<string>`(
    SELECT json_group_array(json_object('kind', kind, 'text', text, 'createdAt', created_at)) FROM (
      SELECT * FROM ${submissionEntries} e WHERE e.submission_id = ${table}.id ORDER BY e.created_at LIMIT 100))`
}

type Columns = Record<string, SQLiteColumn>

/** Some columns of a table. The others are secrets, belong to somebody else, or mean nothing outside. */
function pick<Table extends SQLiteTable>(
  table: Table,
  ...names: (keyof Table['_']['columns'])[]
): Columns {
  const columns = Object.entries<SQLiteColumn>(getTableColumns(table))
  return Object.fromEntries(columns.filter(([name]) => names.includes(name)))
}

/** Without the admin, who is somebody else. */
const ACT = pick(adminLog, 'kind', 'reason', 'changes', 'createdAt')
const SESSION = pick(
  sessions,
  'id',
  'kind',
  'device',
  'ipPrefix',
  'createdAt',
  'lastUsedAt',
  'expiresAt',
  'endedAt',
)
const PASSKEY = pick(passkeys, 'name', 'credentialId', 'createdAt', 'lastUsedAt')
const EVENT = pick(accountEvents, 'kind', 'detail', 'device', 'ipPrefix', 'createdAt')
/** Without the payload: a mail that waits holds a secret. */
const MAIL = pick(mails, 'kind', 'toAddress', 'createdAt', 'sentAt')
const PURCHASE = pick(
  purchases,
  'id',
  'sku',
  'tokens',
  'amountMinor',
  'currency',
  'billing',
  'country',
  'termsVersion',
  'status',
  'createdAt',
  'paidAt',
  'cancelledAt',
)
const CORRECTION = pick(addressCorrections, 'email', 'correctedAt')

/** A row as the export shows it, without its key. Times, whose names end in `At`, become ISO 8601. */
function exportedRow(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => !/^key\d$/.test(name))
      .map(([name, value]: [string, unknown]) => {
        if (name === 'written') return [name, JSON.parse(String(value)).map(exportedRow)]
        return [name, name.endsWith('At') && typeof value === 'number' ? toIso(value) : value]
      }),
  )
}
