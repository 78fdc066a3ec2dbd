import { and, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import type { applyEndpoint } from '../../../src/contract/careers.ts'
import { CAREERS, TOAST } from '../../../src/contract/messages.ts'
import type { submitTicketEndpoint } from '../../../src/contract/support.ts'
import { insertFrom } from '../../db/insert-from.ts'
import { jobApplications, supportTickets } from '../../db/schema/records.ts'
import { users } from '../../db/schema/users.ts'
import { canonicalAddress } from '../account/address.ts'
import { countOne, dailyCounter, isWithinLimit, rejectToday } from '../account/daily-limit.ts'
import { isOpenSession } from '../session/session.ts'
import type { Submissions } from '../data-rights/find-submissions.ts'
import type { Context, Claims } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { enqueueMailFrom, type NewMailFrom } from '../mail/outbox.ts'
import type { MailKind } from '../mail/render.ts'
import { submissionMailIds } from '../mail/submission-mails.ts'
import type { PublicHandler } from '../handler.ts'
import { minutes } from '../time.ts'

/**
 * Stores a ticket and mails the team its text and the sender its number, in one batch. The same ticket again within ten minutes is
 * the first one: its answer was lost, and somebody pressed the button again. RATE_LIMITED, with the mailbox to write to, after many
 * submissions of a day.
 */
export const submitTicket: PublicHandler<typeof submitTicketEndpoint> = async (
  ctx,
  { body, claims },
) => {
  const ticket = { id: ctx.newId('tkt'), ...body, createdAt: ctx.now }
  const number = sql`${supportTickets.number}`
  const stored = await store(ctx, claims, {
    table: supportTickets,
    id: ticket.id,
    body,
    insert: (source) => insertFrom(supportTickets, ticket, source),
    toSender: { kind: 'ticket_received', payload: { number }, to: body.email },
    toTeam: { kind: 'ticket_for_team', payload: { number, ...body }, to: ctx.brand.supportEmail },
  })
  return { success: true, message: TOAST.ticketSent, ticketNumber: `T-${stored}` }
}

/** As `submitTicket`, for an application. Links are stored, never fetched. */
export const applyForJob: PublicHandler<typeof applyEndpoint> = async (ctx, { body, claims }) => {
  const application = { id: ctx.newId('app'), ...body, createdAt: ctx.now }
  const { email, jobId } = body
  const number = sql`${jobApplications.number}`
  const payload = { number, application: body }
  const stored = await store(ctx, claims, {
    table: jobApplications,
    id: application.id,
    body,
    insert: (source) => insertFrom(jobApplications, application, source),
    toSender: { kind: 'application_received', payload: { number, jobId }, to: email },
    toTeam: { kind: 'application_for_team', payload, to: ctx.brand.careersEmail },
  })
  return { success: true, message: CAREERS.success, applicationNumber: `A-${stored}` }
}

type MailTo<Kind extends MailKind> = Pick<NewMailFrom<Kind>, 'kind' | 'payload'> & { to: string }

interface Received<ToSender extends MailKind, ToTeam extends MailKind> {
  table: Submissions
  id: string
  /** The fields of the form, by the names of their columns. */
  body: { email: string }
  insert: (source: SQL) => SQL
  toSender: MailTo<ToSender>
  toTeam: MailTo<ToTeam>
}

/** How long after a submission the same one is a repetition. */
const REPEATED_MS = minutes(10)

/** Stores a submission with its mails, unless it is a repetition. Returns its number. */
async function store<ToSender extends MailKind, ToTeam extends MailKind>(
  ctx: Context,
  claims: Claims | null | undefined,
  submission: Received<ToSender, ToTeam>,
): Promise<number> {
  const { counted, isAllowed } = await countSubmission(ctx, claims ?? null)
  const same = sql`FROM ${submission.table} WHERE ${isSame(ctx, submission)}`
  const isNew = sql`NOT EXISTS (SELECT 1 ${same})`
  const { stored } = await ctx.db.batch({
    counted,
    inserted: ctx.db.run(submission.insert(sql`WHERE ${isAllowed} AND ${isNew}`)),
    ...(await acknowledge(ctx, submission)),
    stored: ctx.db.all<{ number: number }>(sql`SELECT number ${same} ORDER BY number LIMIT 1`),
  })
  const [found] = stored
  if (found === undefined) throw rejectToday(ctx, tooMany(submission.toTeam.to))
  ctx.waitUntil(() => deliverDueMail(ctx))
  return found.number
}

/** Strangers can send any number from one address, and a row is large: no more are compared. */
const COMPARED_MAX = 20

/** In SQL, whether a row has the fields of a submission and is not old. */
function isSame(
  { now }: Context,
  { table, body }: Pick<Received<MailKind, MailKind>, 'table' | 'body'>,
) {
  const given = new Map<string, unknown>(Object.entries(body))
  const fields = Object.entries(getTableColumns(table)).flatMap(([name, column]) =>
    given.has(name) ? [sql`${column} = ${sql.param(given.get(name), column)}`] : [],
  )
  const isOfNewest = sql`${table.number} IN (
    SELECT s.number FROM ${table} s WHERE lower(s.email) = lower(${body.email}) ORDER BY s.number DESC LIMIT ${COMPARED_MAX})`
  return and(isOfNewest, gt(table.createdAt, now - REPEATED_MS), ...fields)
}

const tooMany = (mailbox: string) =>
  `Too many messages arrived from your network today. Please write to ${mailbox} instead.`

/**
 * The statements that count a submission: as its sender's own while a verified account, which is signed in, has some left, else as
 * the network's, so that one sender does not close the form for everybody on it.
 */
async function countSubmission(ctx: Context, claims: Claims | null) {
  const network = await dailyCounter(ctx, 'submission', ctx.visitor.ipPrefix)
  if (claims === null)
    return { counted: [countOne(ctx, network)], isAllowed: isWithinLimit(network) }
  const { userId } = claims
  const own = await dailyCounter(ctx, 'ownSubmission', userId)
  const sender = sql`FROM ${users} u WHERE u.id = ${userId} AND u.email_verified_at IS NOT NULL
    AND ${isOpenSession({ ...claims, now: ctx.now })}`
  const isOwn = sql`(EXISTS (SELECT 1 ${sender}) AND ${isWithinLimit(own)})`
  return {
    counted: [countOne(ctx, own, sender), countOne(ctx, network, sql`WHERE NOT ${isOwn}`)],
    isAllowed: sql`(${isOwn} OR ${isWithinLimit(network)})`,
  }
}

/** The statements that mail a submission's sender and the team, if it was stored. An address that was mailed often today gets none. */
async function acknowledge<ToSender extends MailKind, ToTeam extends MailKind>(
  ctx: Context,
  { table, id, toSender, toTeam }: Received<ToSender, ToTeam>,
) {
  const ids = submissionMailIds(table.id)
  const ofAddress = await dailyCounter(ctx, 'acknowledgement', canonicalAddress(toSender.to))
  const stored = sql`FROM ${table} WHERE ${table.id} = ${id}`
  return {
    addressed: countOne(ctx, ofAddress, stored),
    mailToSender: enqueueMailFrom(
      ctx,
      { ...toSender, id: ids.toSender, userId: null },
      sql`${stored} AND ${isWithinLimit(ofAddress)}`,
    ),
    mailToTeam: enqueueMailFrom(ctx, { ...toTeam, id: ids.toTeam, userId: null }, stored),
  }
}
