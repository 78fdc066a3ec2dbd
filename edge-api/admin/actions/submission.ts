import { eq, sql } from 'drizzle-orm'
import { z } from '../../../src/contract/zod.ts'
import { jobApplications, supportTickets } from '../../db/schema/records.ts'
import { eraseSubmissions, verifiedSenderOf } from '../../domain/data-rights/find-submissions.ts'
import { requireRow } from '../../domain/api-error.ts'
import { type AdminContext, defineAction, inOneBatch, NO_NOTIFICATION, reject } from './action.ts'

/** `T-12` or `A-3`. */
export const SubmissionName = z
  .string()
  .regex(/^[TA]-[1-9]\d{0,8}$/)
  .transform((name) => ({ name, isTicket: name.startsWith('T'), number: Number(name.slice(2)) }))

export const LIST = '/admin/submissions'

/** In SQL, whether a submission is open, spelled as in the indexes, and whether it is done, which is most of them. */
export const TICKETS = {
  table: supportTickets,
  isOpen: sql`${supportTickets.state} <> 'closed'`,
  isDone: sql<number>`+${supportTickets.state} = 'closed'`,
}
export const APPLICATIONS = {
  table: jobApplications,
  isOpen: sql`${jobApplications.decidedAt} IS NULL`,
  isDone: sql<number>`+${jobApplications.decidedAt} IS NOT NULL`,
}

async function find(
  { db }: AdminContext,
  { name, isTicket, number }: z.output<typeof SubmissionName>,
) {
  const { table, isDone } = isTicket ? TICKETS : APPLICATIONS
  const { rows } = await db.batch({
    rows: db
      // The account that has verified the address: its user can export the entry of the log.
      .select({ id: table.id, isDone, userId: verifiedSenderOf(table) })
      .from(table)
      .where(eq(table.number, number)),
  })
  const found = requireRow(
    rows,
    'NOT_FOUND',
    `There is no ${name}. Its sender may have deleted it.`,
  )
  return { ...found, table, isDone: found.isDone === 1, done: isDone }
}

/**
 * Marks a submission as done, or as open again. That an application is done sets the day from which it is purged, twelve
 * months later (domain/data-rights/purge-expired.ts).
 */
const move = (to: 'done' | 'open') =>
  defineAction({
    kind: to === 'done' ? 'submission_done' : 'submission_open',
    label: to === 'done' ? 'Done' : 'Open again',
    input: z.object({ submission: SubmissionName }),
    plan: async (ctx, { submission }) => {
      const { name, isTicket } = submission
      const { id, table, isDone, done, userId } = await find(ctx, submission)
      if (isDone === (to === 'done')) throw reject(`${name} is ${to} already.`)
      const purge =
        to === 'done'
          ? 'It is deleted twelve months from now.'
          : 'It is no longer deleted by itself.'
      const isAsSeen = sql`EXISTS (
        SELECT 1 FROM ${table} WHERE ${table.id} = ${id} AND (${done}) = ${isDone ? 1 : 0})`
      return {
        changes: [
          `${name} becomes ${to === 'done' ? 'done' : 'open again'}.`,
          ...(isTicket ? [] : [purge]),
        ],
        notification: NO_NOTIFICATION,
        userId,
        subject: id,
        home: `${LIST}/${name}`,
        execute: inOneBatch(ctx, isAsSeen, (isWritten) => ({
          moved: isTicket
            ? ctx.db
                .update(supportTickets)
                .set({ state: to === 'done' ? 'closed' : 'new' })
                .where(sql`${eq(supportTickets.id, id)} AND ${isWritten}`)
            : ctx.db
                .update(jobApplications)
                .set({ decidedAt: to === 'done' ? ctx.now : null })
                .where(sql`${eq(jobApplications.id, id)} AND ${isWritten}`),
        })),
      }
    },
  })

/** Deletes a submission, when its sender asks for it. */
const deleteSubmission = defineAction({
  kind: 'submission_delete',
  label: 'Delete',
  input: z.object({ submission: SubmissionName }),
  isDangerous: true,
  plan: async (ctx, { submission }) => {
    const { name } = submission
    const { id, table, userId } = await find(ctx, submission)
    return {
      changes: [
        `${name}, its notes and the emails that repeat it are deleted.`,
        'Delete it in the team’s mailbox too, with your answers.',
      ],
      notification: NO_NOTIFICATION,
      userId,
      subject: id,
      home: LIST,
      isGone: true,
      execute: inOneBatch(
        ctx,
        sql`EXISTS (SELECT 1 FROM ${table} WHERE ${table.id} = ${id})`,
        (isWritten) => ({ erased: eraseSubmissions(ctx, (of) => eq(of.id, id), isWritten) }),
      ),
    }
  },
})

export const SUBMISSION_ACTIONS = [move('done'), move('open'), deleteSubmission]
