import { sql } from 'drizzle-orm'
import type { applyEndpoint } from '../../../src/contract/careers.ts'
import { CAREERS, TOAST } from '../../../src/contract/messages.ts'
import type { submitTicketEndpoint } from '../../../src/contract/support.ts'
import { jobApplications, supportTickets } from '../../db/schema/records.ts'
import { canonicalAddress } from '../account/address.ts'
import { countOne, dailyCount, isWithinLimit } from '../account/daily-count.ts'
import type { Submissions } from '../account/written-from.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { enqueueMailFrom, type NewMailFrom } from '../mail/outbox.ts'
import type { MailKind } from '../mail/render.ts'
import { submissionMailIds } from '../mail/submission-mails.ts'
import { requireRow } from '../refusal.ts'
import type { PublicHandler } from '../handler.ts'

/** Stores a ticket and mails the team its text and the sender its number, in one batch. */
export const submitTicket: PublicHandler<typeof submitTicketEndpoint> = async (ctx, { body }) => {
  const ticket = { id: ctx.newId('tkt'), ...body, createdAt: ctx.now }
  const number = sql`${supportTickets.number}`
  const { stored } = await ctx.db.batch({
    stored: ctx.db
      .insert(supportTickets)
      .values(ticket)
      .returning({ number: supportTickets.number }),
    ...(await acknowledge(ctx, {
      table: supportTickets,
      id: ticket.id,
      toSender: { kind: 'ticket_received', payload: { number }, to: body.email },
      toTeam: {
        kind: 'ticket_for_team',
        payload: { number, ...body },
        to: ctx.brand.supportEmail,
      },
    })),
  })
  const found = requireRow(stored, 'INTERNAL', TOAST.ticketFailed)
  ctx.waitUntil(() => deliverDueMail(ctx))
  return { success: true, message: TOAST.ticketSent, ticketNumber: `T-${found.number}` }
}

/** Stores an application and mails the applicant and the team, in one batch. Links are stored, never fetched. */
export const applyForJob: PublicHandler<typeof applyEndpoint> = async (ctx, { body }) => {
  const application = { id: ctx.newId('app'), ...body, createdAt: ctx.now }
  const { email, jobId } = body
  const number = sql`${jobApplications.number}`
  const { stored } = await ctx.db.batch({
    stored: ctx.db
      .insert(jobApplications)
      .values(application)
      .returning({ number: jobApplications.number }),
    ...(await acknowledge(ctx, {
      table: jobApplications,
      id: application.id,
      toSender: { kind: 'application_received', payload: { number, jobId }, to: email },
      toTeam: {
        kind: 'application_for_team',
        payload: { number, application: body },
        to: ctx.brand.careersEmail,
      },
    })),
  })
  const found = requireRow(stored, 'INTERNAL', CAREERS.failed)
  ctx.waitUntil(() => deliverDueMail(ctx))
  return { success: true, message: CAREERS.success, applicationNumber: `A-${found.number}` }
}

type MailTo<Kind extends MailKind> = Pick<NewMailFrom<Kind>, 'kind' | 'payload'> & { to: string }

interface Received<ToSender extends MailKind, ToTeam extends MailKind> {
  table: Submissions
  id: string
  toSender: MailTo<ToSender>
  toTeam: MailTo<ToTeam>
}

/**
 * The statements that mail a submission's sender and the team, for the batch that stores it. An address that was mailed
 * often today gets no mail. After many from one network today nobody does: strangers must not use up the day's mails.
 */
async function acknowledge<ToSender extends MailKind, ToTeam extends MailKind>(
  ctx: Context,
  { table, id, toSender, toTeam }: Received<ToSender, ToTeam>,
) {
  const ids = submissionMailIds(table.id)
  const ofAddress = await dailyCount(ctx, 'acknowledgement', canonicalAddress(toSender.to))
  const ofNetwork = await dailyCount(ctx, 'submission', ctx.visitor.ipPrefix)
  const mayMail = sql`FROM ${table} WHERE ${table.id} = ${id} AND ${isWithinLimit(ofNetwork)}`
  return {
    counted: [countOne(ctx, ofAddress), countOne(ctx, ofNetwork)],
    mailToSender: enqueueMailFrom(
      ctx,
      { ...toSender, id: ids.toSender, userId: null },
      sql`${mayMail} AND ${isWithinLimit(ofAddress)}`,
    ),
    mailToTeam: enqueueMailFrom(ctx, { ...toTeam, id: ids.toTeam, userId: null }, mayMail),
  }
}
