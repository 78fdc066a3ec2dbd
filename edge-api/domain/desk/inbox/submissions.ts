import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { ApplicationInput } from '../../../../src/contract/careers.ts'
import {
  type applicationEndpoint,
  ApplicationRow,
  type applicationsEndpoint,
  DECIDED,
  ENTRIES_MAX,
  INBOX,
  INBOX_MAX,
  type SubmissionEntry,
  type ticketEndpoint,
  TicketRow,
  type ticketsEndpoint,
} from '../../../../src/contract/desk-inbox.ts'
import { TicketInput } from '../../../../src/contract/support.ts'
import { deskActs } from '../../../db/schema/desk.ts'
import { submissionEntries } from '../../../db/schema/inbox.ts'
import { jobApplications, mails, supportTickets } from '../../../db/schema/records.ts'
import { users } from '../../../db/schema/users.ts'
import {
  answerMailId,
  entriesAbout,
  senderOf,
  type Submissions,
} from '../../account/written-from.ts'
import type { Context } from '../../context.ts'
import { requireRow } from '../../refusal.ts'
import { toIso, toIsoOrNull } from '../../time.ts'
import type { OperatorHandler } from '../../handler.ts'
import { savedAnswersQuery } from './saved-answers.ts'

/** Tickets in a state, the oldest first, because they have waited longest; closed ones newest first. */
export const listTickets: OperatorHandler<typeof ticketsEndpoint> = async (
  ctx,
  { query: { state, after } },
) => {
  const page = pageOf(supportTickets, { isDone: state === 'closed', after })
  const { found } = await ctx.db.batch({
    found: ctx.db
      .select()
      .from(supportTickets)
      .where(and(eq(supportTickets.state, state), page.isAfter))
      .orderBy(...page.order)
      .limit(INBOX_MAX + 1),
  })
  const { rows, hasMore } = cut(found)
  return { success: true, tickets: rows.map(toTicketRow), hasMore }
}

/** Applications in a state, for one job or all, the oldest first; decided ones newest first. */
export const listApplications: OperatorHandler<typeof applicationsEndpoint> = async (
  ctx,
  { query: { state, jobId, after } },
) => {
  const page = pageOf(jobApplications, { isDone: DECIDED.includes(state), after })
  const isOfJob = jobId === undefined ? undefined : eq(jobApplications.jobId, jobId)
  const { found } = await ctx.db.batch({
    found: ctx.db
      .select()
      .from(jobApplications)
      .where(and(eq(jobApplications.state, state), isOfJob, page.isAfter))
      .orderBy(...page.order)
      .limit(INBOX_MAX + 1),
  })
  const { rows, hasMore } = cut(found)
  return { success: true, applications: rows.map(toApplicationRow), hasMore }
}

interface Page {
  /** Whether the newest come first. */
  isDone: boolean
  /** The number after which the page begins. */
  after: number | undefined
}

/** In the order of the tables' indexes, or each page would read all rows of the state. */
function pageOf(table: Submissions, { isDone, after }: Page) {
  const { createdAt, number } = table
  const [beyond, inOrder] = isDone ? [sql`<`, desc] : [sql`>`, asc]
  // The row itself may have been deleted meanwhile, and all before it too.
  const lastCreatedAt = sql`coalesce((SELECT s.created_at FROM ${table} s WHERE s.number <= ${after} ORDER BY s.number DESC LIMIT 1), 0)`
  return {
    isAfter:
      after === undefined
        ? undefined
        : sql`(${createdAt}, ${number}) ${beyond} (${lastCreatedAt}, ${after})`,
    order: [inOrder(createdAt), inOrder(number)],
  }
}

/** One row more than a page was asked for. */
function cut<Row>(found: readonly Row[]) {
  return { rows: found.slice(0, INBOX_MAX), hasMore: found.length > INBOX_MAX }
}

/** One ticket with what operators wrote about it. */
export const showTicket: OperatorHandler<typeof ticketEndpoint> = async (
  ctx,
  { params: { number } },
) => {
  const { found, entries, answers } = await ctx.db.batch({
    found: ctx.db
      .select({ ticket: supportTickets, userId: senderOf(supportTickets) })
      .from(supportTickets)
      .where(eq(supportTickets.number, number)),
    entries: entriesOf(ctx, supportTickets, number),
    answers: savedAnswersQuery(ctx, 'ticket'),
  })
  const { ticket, userId } = requireRow(found, 'NOT_FOUND', INBOX.noSubmission)
  return {
    success: true,
    ticket: { ...toTicketRow(ticket), id: ticket.id, query: ticket.query },
    entries: entries.toReversed().map(toEntry),
    answers,
    fields: fieldsOf(TicketInput, ticket, ['email', 'severity', 'query']),
    userId,
  }
}

/** One application with what operators wrote about it. */
export const showApplication: OperatorHandler<typeof applicationEndpoint> = async (
  ctx,
  { params: { number } },
) => {
  const { found, entries, answers } = await ctx.db.batch({
    found: ctx.db
      .select({ application: jobApplications, userId: senderOf(jobApplications) })
      .from(jobApplications)
      .where(eq(jobApplications.number, number)),
    entries: entriesOf(ctx, jobApplications, number),
    answers: savedAnswersQuery(ctx, 'application'),
  })
  const { application, userId } = requireRow(found, 'NOT_FOUND', INBOX.noSubmission)
  return {
    success: true,
    application: { ...toApplicationRow(application), id: application.id },
    entries: entries.toReversed().map(toEntry),
    answers,
    fields: fieldsOf(ApplicationInput, application, ['jobId', 'fullName', 'email']),
    userId,
  }
}

/** The operators' entries about a submission, newest first, with their addresses. */
function entriesOf({ db }: Context, table: Submissions, number: number) {
  return db
    .select({ entry: submissionEntries, operator: users.email, isUndelivered })
    .from(submissionEntries)
    .leftJoin(users, eq(users.id, submissionEntries.operatorId))
    .leftJoin(mails, eq(mails.id, answerMailId))
    .where(entriesAbout(table, eq(table.number, number)))
    .orderBy(desc(submissionEntries.createdAt), desc(submissionEntries.id))
    .limit(ENTRIES_MAX)
}

/** Its mail was given up, and nobody has sent it again since. The copy has a line of its own in the timeline. */
const isUndelivered = sql<number>`${mails.failedAt} IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM ${deskActs} a
  WHERE a.user_id = ${mails.userId} AND a.kind = 'resend_mail' AND a.subject = ${mails.id}
    AND a.created_at >= ${mails.failedAt})`

type EntryRow = Awaited<ReturnType<typeof entriesOf>>[number]

function toEntry({ entry, operator, isUndelivered }: EntryRow): SubmissionEntry {
  const { id, kind, text, operatorId, createdAt } = entry
  return {
    id,
    kind,
    text,
    operator: operator ?? operatorId,
    at: toIso(createdAt),
    isUndelivered: isUndelivered === 1,
  }
}

/** The texts that a sender filled in, in the order of the contract, without what the desk shows anyway. */
function fieldsOf(
  { shape }: { shape: object },
  row: Readonly<Record<string, unknown>>,
  shown: readonly string[],
): [string, string][] {
  return Object.keys(shape).flatMap((name) => {
    const value = row[name]
    return typeof value === 'string' && value !== '' && !shown.includes(name) ? [[name, value]] : []
  })
}

/** How much of a message a list shows, in characters. */
const BEGINS_MAX = 160

/** A ticket as a list shows it. The schema takes its columns from the row and leaves the others out. */
function toTicketRow(ticket: typeof supportTickets.$inferSelect): TicketRow {
  const text = ticket.query.replaceAll(/\s+/g, ' ')
  const begins = text.length > BEGINS_MAX ? `${text.slice(0, BEGINS_MAX).trimEnd()}…` : text
  return TicketRow.parse({ ...ticket, begins, at: toIso(ticket.createdAt) })
}

/** An application as a list shows it. */
function toApplicationRow(application: typeof jobApplications.$inferSelect): ApplicationRow {
  const decidedAt = toIsoOrNull(application.decidedAt)
  return ApplicationRow.parse({ ...application, decidedAt, at: toIso(application.createdAt) })
}
