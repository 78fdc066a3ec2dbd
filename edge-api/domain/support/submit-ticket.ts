import { sql } from 'drizzle-orm'
import { TOAST } from '../../../src/contract/messages.ts'
import type { submitTicketEndpoint } from '../../../src/contract/support.ts'
import { supportTickets } from '../../db/schema/records.ts'
import { acknowledge } from '../mail/acknowledge.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { Refusal } from '../refusal.ts'
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
  const [found] = stored
  if (found === undefined) throw new Refusal('INTERNAL', TOAST.ticketFailed)
  ctx.waitUntil(() => deliverDueMail(ctx))
  return { success: true, message: TOAST.ticketSent, ticketNumber: `T-${found.number}` }
}
