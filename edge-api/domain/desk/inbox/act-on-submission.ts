import { and, eq, type SQL, sql } from 'drizzle-orm'
import {
  ApplicationState,
  DECIDED,
  INBOX,
  type SubmissionAct,
  type submissionActEndpoint,
  type SubmissionKind,
  TicketState,
} from '../../../../src/contract/desk-inbox.ts'
import { SERVER } from '../../../../src/contract/messages.ts'
import { insertFrom } from '../../../db/insert-from.ts'
import { submissionEntries } from '../../../db/schema/inbox.ts'
import { jobApplications, supportTickets } from '../../../db/schema/records.ts'
import { eraseSubmissions, provenSenderOf, type Submissions } from '../../account/written-from.ts'
import type { Context } from '../../context.ts'
import { deliverDueMail } from '../../mail/deliver-mail.ts'
import { renderMail } from '../../mail/render.ts'
import { answerMailId } from '../../mail/submission-mails.ts'
import { Refusal } from '../../refusal.ts'
import type { OperatorHandler } from '../../handler.ts'
import { inOneBatch, mailTo, newEntry } from '../planned-act.ts'

/** A ticket or an application, with what an act needs of it. */
type Submission = Awaited<ReturnType<typeof find>>[number] & { about: SubmissionKind }

/**
 * Writes a note, mails an answer, changes the state or deletes the submission, or says what would change. The entry, the
 * mail, the new state and the row of `desk_acts` are one batch. It does nothing when there is a newer entry than the
 * operator has seen, so that a repeated call sends no second mail and two operators do not answer one question.
 * NOT_FOUND without such a submission; NOTHING_TO_CHANGE when it already has that state or a newer entry.
 */
export const actOnSubmission: OperatorHandler<typeof submissionActEndpoint> = async (
  ctx,
  { operator, body: { act, isPreview } },
) => {
  const { tickets, applications } = await ctx.db.batch({
    tickets: find(ctx, supportTickets, act.submissionId),
    applications: find(ctx, jobApplications, act.submissionId),
  })
  const [ticket] = tickets.map((row) => ({ ...row, about: 'ticket' as const }))
  const [application] = applications.map((row) => ({ ...row, about: 'application' as const }))
  const found: Submission | undefined = ticket ?? application
  if (found === undefined) throw new Refusal('NOT_FOUND', INBOX.noSubmission)
  const answer = act.kind === 'answer' ? answerTo(ctx, found, act.text) : null
  const changes = changesOf(found, act, answer)
  if (!isPreview) {
    await carryOut(ctx, operator.id, { found, act, answer, changes })
    ctx.waitUntil(() => deliverDueMail(ctx))
  }
  return {
    success: true,
    changes,
    mail: answer?.text ?? null,
    ...(isPreview ? {} : { message: answer === null ? INBOX.done : INBOX.sent }),
  }
}

/** `userId` is the account that has proven the address: its user can export the row of `desk_acts`. Null without one. */
function find({ db }: Context, table: Submissions, id: string) {
  const { number, state, email } = table
  return db
    .select({ id: table.id, number, state, email, userId: provenSenderOf(table) })
    .from(table)
    .where(eq(table.id, id))
}

type Answer = ReturnType<typeof answerTo>

function answerTo(ctx: Context, { about, number }: Submission, text: string) {
  const payload = { about, number, text }
  const mail = { kind: 'submission_answer', payload: JSON.stringify(payload) }
  return { payload, ...renderMail(mail, ctx) }
}

/** Says what an act changes, without quoting its text: these sentences are kept permanently. */
function changesOf(found: Submission, act: SubmissionAct, answer: Answer | null): string[] {
  const name = nameOf(found)
  if (act.kind === 'note') return [`A note is added to ${name}.`]
  if (act.kind === 'delete') return [`${name}, its notes and its emails are deleted.`]
  const moved = movedTo(found, act.state)
  if (act.kind === 'state' && moved.length === 0) {
    throw new Refusal('NOTHING_TO_CHANGE', INBOX.sameState)
  }
  const sent = answer === null ? [] : [`${name} gets an email: "${answer.subject}".`]
  return [...sent, ...moved]
}

/** The sentences about another state. VALIDATION_FAILED when submissions of this kind have no such state. */
function movedTo(found: Submission, state: string): string[] {
  const states: readonly string[] =
    found.about === 'ticket' ? TicketState.options : ApplicationState.options
  if (!states.includes(state)) throw new Refusal('VALIDATION_FAILED', SERVER.validation)
  if (state === found.state) return []
  const words = state.replaceAll('_', ' ')
  const moved = `${nameOf(found)} becomes "${words}"; it was "${found.state.replaceAll('_', ' ')}".`
  return DECIDED.includes(state) ? [moved, 'It is deleted twelve months from now.'] : [moved]
}

const nameOf = ({ about, number }: Submission) => `${about === 'ticket' ? 'T' : 'A'}-${number}`

interface Wanted {
  found: Submission
  act: SubmissionAct
  answer: Answer | null
  changes: string[]
}

function carryOut(
  ctx: Context,
  operatorId: string,
  { found, act, answer, changes }: Wanted,
): Promise<unknown> {
  const logged = newEntry(ctx, operatorId, {
    kind: `submission_${act.kind}`,
    userId: found.userId,
    subject: found.id,
    // The answer is its own reason; it is kept where its sender can have it deleted.
    reason: nameOf(found),
    changes,
  })
  const isUnchanged = isAsSeen(found, act)
  if (act.kind === 'delete') {
    return inOneBatch(ctx, isUnchanged, (isWritten) => ({
      erased: eraseSubmissions(ctx, (table) => eq(table.id, found.id), isWritten),
    }))(logged)
  }
  const entry = {
    id: ctx.newId('ent'),
    submissionId: found.id,
    kind: act.kind,
    text: act.kind === 'state' ? act.state : act.text,
    operatorId,
    createdAt: ctx.now,
  }
  const follow = (isWritten: SQL) => ({
    entry: ctx.db.run(insertFrom(submissionEntries, entry, sql`WHERE ${isWritten}`)),
    mail:
      answer === null
        ? null
        : mailTo(ctx, isWritten, {
            id: answerMailId(entry.submissionId, entry.id),
            kind: 'submission_answer',
            payload: answer.payload,
            to: found.email,
            userId: found.userId,
          }),
    moved: act.kind === 'note' ? null : moveStatement(ctx, found, { state: act.state, isWritten }),
  })
  return inOneBatch(ctx, isUnchanged, follow, INBOX.changed)(logged)
}

/** In SQL, whether the submission is still there and its newest entry is the one that the operator has seen. */
function isAsSeen({ about, id }: Submission, { seen }: SubmissionAct): SQL {
  const table = about === 'ticket' ? supportTickets : jobApplications
  return sql`EXISTS (SELECT 1 FROM ${table} WHERE ${table.id} = ${id}) AND (
    SELECT e.id FROM ${submissionEntries} e WHERE e.submission_id = ${id}
    ORDER BY e.created_at DESC, e.id DESC LIMIT 1
  ) IS ${seen}`
}

interface Move {
  state: string
  isWritten: SQL
}

function moveStatement(
  { db, now }: Context,
  { about, id }: Submission,
  { state, isWritten }: Move,
) {
  if (about === 'ticket') {
    return db
      .update(supportTickets)
      .set({ state: TicketState.parse(state) })
      .where(and(eq(supportTickets.id, id), isWritten))
  }
  const decidedAt = DECIDED.includes(state)
    ? sql`iif(${jobApplications.state} = ${state}, ${jobApplications.decidedAt}, ${now})`
    : null
  return db
    .update(jobApplications)
    .set({ state: ApplicationState.parse(state), decidedAt })
    .where(and(eq(jobApplications.id, id), isWritten))
}
