import { asc, eq, getTableColumns, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { exportDataEndpoint } from '../../../src/contract/data-export.ts'
import { addressCorrections, deskActs } from '../../db/schema/desk.ts'
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
import type { SessionHandler } from '../handler.ts'
import { recordEvent } from './account-event.ts'
import { type Account, readConfirmed, toUser } from './account-query.ts'
import { entriesAbout, isFrom } from './written-from.ts'

/**
 * How many rows one statement reads, and about how many one export holds: a Worker has 128 MB. The file names longer lists.
 */
const SIZE = { part: 10_000, whole: 100_000 }

/**
 * The data of the caller's account, without hashes, secrets or rows of others. STEP_UP_REQUIRED unless confirmed. Tickets
 * and applications belong to the verified address they were sent from.
 */
export const exportData: SessionHandler<typeof exportDataEndpoint> = async (ctx, { claims }) => {
  const account = await readConfirmed(ctx, claims)
  const note = recordEvent(ctx, { userId: claims.userId, kind: 'data_exported' })
  const data = await toExport(ctx, account, { note })
  return { success: true, exportedAt: toIso(ctx.now), data }
}

interface Taking {
  /** Records, in the same batch, that somebody took the export. */
  note?: ReturnType<typeof recordEvent> | null
  size?: typeof SIZE
}

/** The export of an account. `incomplete` names the lists that were cut off. */
export async function toExport(
  ctx: Context,
  account: Omit<Account, 'session'>,
  { note = null, size = SIZE }: Taking = {},
) {
  const { user } = account
  const lists = Object.entries(listsOf(ctx, user))
  const read = (list: List, offset: number) => readRows(ctx, list, { offset, part: size.part })
  const { parts } = await ctx.db.batch({ note, parts: lists.map(([, list]) => read(list, 0)) })
  let left = size.whole - parts.flat().length
  const rows = new Map<string, ReturnType<typeof exportedRow>[]>()
  const incomplete: string[] = []
  for (const [index, [name, list]] of lists.entries()) {
    let last = parts[index] ?? []
    const whole = last.map(exportedRow)
    while (last.length === size.part && left > 0) {
      ;[last] = await ctx.db.batch([read(list, whole.length)])
      left -= last.length
      whole.push(...last.map(exportedRow))
    }
    if (last.length === size.part) incomplete.push(name)
    rows.set(name, whole)
  }
  const { entries = [], supportTickets, jobApplications, ...others } = Object.fromEntries(rows)
  return {
    incomplete,
    user: toUser(account, ctx.now),
    googleSubject: user.googleSubject,
    terms: exportedRow({ version: user.termsVersion, acceptedAt: user.termsAcceptedAt }),
    ...others,
    supportTickets: withEntries(supportTickets, entries),
    jobApplications: withEntries(jobApplications, entries),
  }
}

interface List {
  table: SQLiteTable
  isTheirs: SQL | undefined
  columns?: Columns
  order?: SQL[]
}

/** The statement that reads the rows of a list after the first `offset`. */
function readRows({ db }: Context, list: List, { offset, part }: { offset: number; part: number }) {
  const { table, isTheirs, columns = getTableColumns(table), order = [sql`rowid`] } = list
  return db
    .select(columns)
    .from(table)
    .where(isTheirs)
    .orderBy(...order)
    .limit(part)
    .offset(offset)
}

const { paymentMode: mode, ...ledgerColumns } = getTableColumns(ledger)

/** What is stored about an account, by its names in the export. */
function listsOf(
  { db }: Context,
  { id, email, emailVerifiedAt }: Account['user'],
): Record<string, List> {
  const own = (table: SQLiteTable & { userId: SQLiteColumn }, columns?: Columns) =>
    listOf(table, eq(table.userId, id), columns)
  const bought = db.select({ id: purchases.id }).from(purchases).where(eq(purchases.userId, id))
  const about = (table: SQLiteTable & { purchaseId: SQLiteColumn }) =>
    listOf(table, inArray(table.purchaseId, bought))
  const paid = db
    .select({ id: payments.id })
    .from(payments)
    .where(inArray(payments.purchaseId, bought))
  const isProven = emailVerifiedAt === null ? sql`0` : sql`1`
  const isTicket = sql`${isProven} AND ${isFrom(supportTickets, email)}`
  const isApplication = sql`${isProven} AND ${isFrom(jobApplications, email)}`
  const isEntry = or(
    entriesAbout(supportTickets, isTicket),
    entriesAbout(jobApplications, isApplication),
  )
  return {
    passkeys: own(passkeys, PASSKEY),
    authenticatorApps: own(totps, pick(totps, 'createdAt')),
    sessions: own(sessions, SESSION),
    events: own(accountEvents, EVENT),
    mails: own(mails, MAIL),
    purchases: own(purchases, PURCHASE),
    receipts: about(receipts),
    payments: about(payments),
    refundsAndDisputes: listOf(refundsAndDisputes, inArray(refundsAndDisputes.paymentId, paid)),
    creditNotes: about(creditNotes),
    owedRefunds: about(pendingRefunds),
    actsOfSupport: own(deskActs, ACT),
    // The ledger and the usage of years are long, and an index has them in this order.
    ledger: {
      ...own(ledger, { ...ledgerColumns, mode }),
      order: [asc(ledger.createdAt), asc(ledger.ref)],
    },
    usageSessions: { ...own(usageSessions), order: [asc(usageSessions.sessionId)] },
    correctedAddresses: own(addressCorrections, CORRECTION),
    supportTickets: listOf(supportTickets, isTicket),
    jobApplications: listOf(jobApplications, isApplication),
    entries: {
      ...listOf(submissionEntries, isEntry, ENTRY),
      order: [asc(submissionEntries.createdAt)],
    },
  }
}

function listOf(table: SQLiteTable, isTheirs: SQL | undefined, columns = getTableColumns(table)) {
  return { table, isTheirs, columns }
}

/** Submissions with what operators wrote about each. */
function withEntries(
  submissions: Record<string, unknown>[] = [],
  entries: Record<string, unknown>[],
) {
  return submissions.map((submission) => ({
    ...submission,
    written: entries.filter(({ submissionId }) => submissionId === submission['id']),
  }))
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

/** Without the account of the operator, who is somebody else. */
const ENTRY = pick(submissionEntries, 'submissionId', 'kind', 'text', 'createdAt')

/** Without the operator, who is somebody else. */
const ACT = pick(deskActs, 'kind', 'reason', 'changes', 'createdAt')
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

/** A row as the export shows it. Times, whose names end in `At`, become ISO 8601. */
function exportedRow(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]: [string, unknown]) => [
      name,
      name.endsWith('At') && typeof value === 'number' ? toIso(value) : value,
    ]),
  )
}
