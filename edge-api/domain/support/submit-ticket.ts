import { eq, sql } from 'drizzle-orm'
import { TOAST } from '../../../src/contract/messages.ts'
import type { submitTicketEndpoint } from '../../../src/contract/support.ts'
import { supportTickets } from '../../db/schema/records.ts'
import { canonicalAddress } from '../account/address.ts'
import { countOne, dailyCount, isWithinLimit } from '../account/daily-count.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { enqueueMailFrom } from '../mail/outbox.ts'
import { submissionMailIds } from '../mail/submission-mails.ts'
import { Refusal } from '../refusal.ts'
import type { PublicHandler } from '../handler.ts'

/**
 * Stores a ticket and mails the team its text and the sender its number, in one batch. An address that was mailed often
 * today gets no mail. After many from one network today nobody does: strangers must not use up the day's mails.
 */
export const submitTicket: PublicHandler<typeof submitTicketEndpoint> = async (ctx, { body }) => {
  const ticket = { id: ctx.newId('tkt'), ...body, createdAt: ctx.now }
  const { email } = body
  const { toSender, toTeam } = submissionMailIds(supportTickets.id)
  const number = sql`${supportTickets.number}`
  const stored = sql`FROM ${supportTickets} WHERE ${supportTickets.id} = ${ticket.id}`
  const ofAddress = await dailyCount(ctx, 'acknowledgement', canonicalAddress(email))
  const ofNetwork = await dailyCount(ctx, 'submission', ctx.visitor.ipPrefix)
  const mayMail = sql`${stored} AND ${isWithinLimit(ofNetwork)}`
  const { numbers } = await ctx.db.batch({
    counted: [countOne(ctx, ofAddress), countOne(ctx, ofNetwork)],
    inserted: ctx.db.insert(supportTickets).values(ticket),
    mailToSender: enqueueMailFrom(
      ctx,
      {
        id: toSender,
        kind: 'ticket_received',
        payload: { number },
        to: email,
        userId: null,
      },
      sql`${mayMail} AND ${isWithinLimit(ofAddress)}`,
    ),
    mailToTeam: enqueueMailFrom(
      ctx,
      {
        id: toTeam,
        kind: 'ticket_for_team',
        payload: { number, ...body },
        to: ctx.brand.supportEmail,
        userId: null,
      },
      mayMail,
    ),
    numbers: ctx.db
      .select({ number: supportTickets.number })
      .from(supportTickets)
      .where(eq(supportTickets.id, ticket.id)),
  })
  const [found] = numbers
  if (found === undefined) throw new Refusal('INTERNAL', TOAST.ticketFailed)
  ctx.waitUntil(() => deliverDueMail(ctx))
  return { success: true, message: TOAST.ticketSent, ticketNumber: `T-${found.number}` }
}
