import { and, asc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { exportDataEndpoint } from '../../../src/contract/notice.ts'
import { addressCorrections, deskActs } from '../../db/schema/desk.ts'
import { passkeys, totps } from '../../db/schema/factors.ts'
import { submissionEntries } from '../../db/schema/inbox.ts'
import {
  creditNotes,
  owedRefunds,
  payments,
  purchases,
  receipts,
} from '../../db/schema/purchases.ts'
import { accountEvents, jobApplications, supportTickets } from '../../db/schema/records.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { ledger, usageSessions } from '../../db/schema/tokens.ts'
import type { Context } from '../context.ts'
import { toIso } from '../time.ts'
import type { SessionVerb } from '../verb.ts'
import { recordEvent } from './account-event.ts'
import { type Account, accountQuery, requireAccount, requireConfirmed } from './account-query.ts'
import { toUser } from './to-user.ts'
import { entriesAbout, isFrom } from './written-from.ts'

/** How many rows one statement reads. Only the ledger and the usage of years are longer, and are read in parts. */
const LIST_MAX = 10_000

/**
 * Everything stored about the caller, without hashes, secrets or rows of others. STEP_UP_REQUIRED unless confirmed. Tickets and applications count as
 * theirs by the verified address they were sent from.
 */
export const exportData: SessionVerb<typeof exportDataEndpoint> = async (ctx, { claims }) => {
  const { accounts, ...stored } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    ...exportStatements(ctx, claims.userId),
  })
  const account = requireAccount(accounts)
  requireConfirmed(ctx, account)
  return {
    success: true,
    exportedAt: toIso(ctx.now),
    data: await toExport(ctx, { account, stored, written: await writtenBy(ctx, account) }),
  }
}

/** Adds the rows after those that one statement read. */
async function addRest<Row>(rows: Row[], read: (offset: number) => Promise<Row[]>): Promise<void> {
  let last = rows
  while (last.length === LIST_MAX) {
    last = await read(rows.length)
    rows.push(...last)
  }
}

const { paymentMode: mode, ...ledgerColumns } = getTableColumns(ledger)

function ledgerRows({ db }: Context, own: string, offset = 0) {
  return db
    .select({ ...ledgerColumns, mode })
    .from(ledger)
    .where(eq(ledger.userId, own))
    .orderBy(asc(ledger.createdAt), asc(ledger.ref))
    .limit(LIST_MAX)
    .offset(offset)
}

function usageRows({ db }: Context, own: string, offset = 0) {
  return db
    .select()
    .from(usageSessions)
    .where(eq(usageSessions.userId, own))
    .orderBy(asc(usageSessions.sessionId))
    .limit(LIST_MAX)
    .offset(offset)
}

/** The statements that read what is stored about an account; `toExport` puts their rows together. */
export function exportStatements(ctx: Context, own: string) {
  const { db } = ctx
  const theirs = db.select({ id: purchases.id }).from(purchases).where(eq(purchases.userId, own))
  const rows = (table: SQLiteTable, isTheirs: SQL, columns: Columns = getTableColumns(table)) =>
    db.select(columns).from(table).where(isTheirs).limit(LIST_MAX)
  return {
    sessions: rows(sessions, eq(sessions.userId, own), SESSION),
    events: rows(accountEvents, eq(accountEvents.userId, own), EVENT),
    purchases: rows(purchases, eq(purchases.userId, own), PURCHASE),
    receipts: rows(receipts, inArray(receipts.purchaseId, theirs)),
    payments: rows(payments, inArray(payments.purchaseId, theirs)),
    creditNotes: rows(creditNotes, inArray(creditNotes.purchaseId, theirs)),
    owedRefunds: rows(owedRefunds, inArray(owedRefunds.purchaseId, theirs)),
    acts: rows(deskActs, eq(deskActs.userId, own), ACT),
    ledger: ledgerRows(ctx, own),
    passkeys: rows(passkeys, eq(passkeys.userId, own), PASSKEY),
    totps: rows(totps, eq(totps.userId, own), pick(totps, 'createdAt')),
    usage: usageRows(ctx, own),
    corrections: rows(addressCorrections, eq(addressCorrections.userId, own), CORRECTION),
  }
}

type Statements = ReturnType<typeof exportStatements>

interface Exported {
  account: Omit<Account, 'session'>
  /** The rows of `exportStatements`. */
  stored: { [Name in keyof Statements]: Awaited<Statements[Name]> }
  written: Record<'supportTickets' | 'jobApplications', object[]>
}

/** The lists of an export. Reads the rest of those that one statement cannot hold. */
export async function toExport(ctx: Context, { account, stored, written }: Exported) {
  const { id } = account.user
  await addRest(stored.ledger, async (offset) => {
    const { rows } = await ctx.db.batch({ rows: ledgerRows(ctx, id, offset) })
    return rows
  })
  await addRest(stored.usage, async (offset) => {
    const { rows } = await ctx.db.batch({ rows: usageRows(ctx, id, offset) })
    return rows
  })
  return {
    user: toUser(account, ctx.now),
    googleSubject: account.user.googleSubject,
    terms: exportedRow({
      version: account.user.termsVersion,
      acceptedAt: account.user.termsAcceptedAt,
    }),
    passkeys: stored.passkeys.map(exportedRow),
    authenticatorApps: stored.totps.map(exportedRow),
    sessions: stored.sessions.map(exportedRow),
    events: stored.events.map(exportedRow),
    purchases: stored.purchases.map(exportedRow),
    receipts: stored.receipts.map(exportedRow),
    payments: stored.payments.map(exportedRow),
    creditNotes: stored.creditNotes.map(exportedRow),
    owedRefunds: stored.owedRefunds.map(exportedRow),
    actsOfSupport: stored.acts.map(exportedRow),
    ledger: stored.ledger.map(exportedRow),
    usageSessions: stored.usage.map(exportedRow),
    correctedAddresses: stored.corrections.map(exportedRow),
    ...written,
  }
}

/** Submissions from the caller's address, provided it is verified. Writes down that they took their data. */
async function writtenBy(ctx: Context, { user }: Account) {
  const note = recordEvent(ctx, { userId: user.id, kind: 'data_exported' })
  return toWritten(await ctx.db.batch({ ...writtenStatements(ctx, user), note }))
}

/** The statements that read what came from the address of an account with what operators wrote about it, provided it is verified. */
export function writtenStatements(
  { db }: Context,
  { email, emailVerifiedAt }: Pick<Account['user'], 'email' | 'emailVerifiedAt'>,
) {
  const isTheirs = emailVerifiedAt === null ? sql`0` : sql`1`
  const entriesOf = (submissions: typeof supportTickets | typeof jobApplications) =>
    db
      .select(entryColumns)
      .from(submissionEntries)
      .where(and(isTheirs, entriesAbout(submissions, isFrom(submissions, email))))
      .orderBy(asc(submissionEntries.createdAt))
      .limit(LIST_MAX)
  return {
    tickets: db
      .select()
      .from(supportTickets)
      .where(and(isTheirs, isFrom(supportTickets, email)))
      .limit(LIST_MAX),
    applications: db
      .select()
      .from(jobApplications)
      .where(and(isTheirs, isFrom(jobApplications, email)))
      .limit(LIST_MAX),
    ofTickets: entriesOf(supportTickets),
    ofApplications: entriesOf(jobApplications),
  }
}

type WrittenStatements = ReturnType<typeof writtenStatements>

/** The rows of `writtenStatements` as an export shows them. */
export function toWritten({
  tickets,
  applications,
  ofTickets,
  ofApplications,
}: { [Name in keyof WrittenStatements]: Awaited<WrittenStatements[Name]> }): Exported['written'] {
  return {
    supportTickets: tickets.map((ticket) => withEntries(ticket, ofTickets)),
    jobApplications: applications.map((application) => withEntries(application, ofApplications)),
  }
}

function withEntries(submission: { id: string }, entries: { submissionId: string }[]) {
  const own = entries.filter(({ submissionId }) => submissionId === submission.id)
  return { ...exportedRow(submission), written: own.map(exportedRow) }
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

/** Without the operator's account, which is somebody else's. */
const entryColumns = {
  submissionId: submissionEntries.submissionId,
  kind: submissionEntries.kind,
  text: submissionEntries.text,
  createdAt: submissionEntries.createdAt,
}

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
const EVENT = pick(accountEvents, 'kind', 'device', 'ipPrefix', 'createdAt')
const PURCHASE = pick(
  purchases,
  'id',
  'sku',
  'tokens',
  'amountMinor',
  'currency',
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
