import { eq } from 'drizzle-orm'
import { TOAST } from '../../../src/contract/messages.ts'
import type { submitTicketEndpoint } from '../../../src/contract/support.ts'
import { supportTickets } from '../../db/schema/records.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { insertNumberedMail, NUMBER } from '../mail/numbered-mail.ts'
import { mailRow } from '../mail/outbox.ts'
import { ticketForTeamMessage, ticketReceivedMessage } from '../mail/ticket-messages.ts'
import { Refusal } from '../refusal.ts'
import type { PublicVerb } from '../verb.ts'

/** Keeps a ticket, acknowledges it to the sender and tells the team: one batch. */
export const submitTicket: PublicVerb<typeof submitTicketEndpoint> = async (ctx, { body }) => {
  const ticket = { id: ctx.newId('tkt'), ...body, createdAt: ctx.now }
  const toSender = mailRow(ctx, ticketReceivedMessage(ctx.brand, body, NUMBER), {
    to: body.email,
    userId: null,
  })
  const toTeam = mailRow(ctx, ticketForTeamMessage(body, NUMBER), {
    to: ctx.brand.supportEmail,
    userId: null,
  })
  const numbered = { table: supportTickets, id: ticket.id, prefix: 'T-' } as const
  const [, , , rows] = await ctx.db.batch([
    ctx.db.insert(supportTickets).values(ticket),
    ctx.db.run(insertNumberedMail(toSender, { ...numbered, recipient: 'sender' })),
    ctx.db.run(insertNumberedMail(toTeam, { ...numbered, recipient: 'team' })),
    ctx.db
      .select({ number: supportTickets.number })
      .from(supportTickets)
      .where(eq(supportTickets.id, ticket.id)),
  ])
  const [stored] = rows
  if (stored === undefined) throw new Refusal('INTERNAL', TOAST.ticketFailed)
  ctx.waitUntil(() => deliverDueMail(ctx))
  return { success: true, message: TOAST.ticketSent, ticketNumber: `T-${stored.number}` }
}
