import type { z } from '../../../src/contract/zod.ts'
import type { ApplicationInput } from '../../../src/contract/careers.ts'
import type { TicketInput } from '../../../src/contract/support.ts'
import type { Brand } from '../context.ts'
import type { Message } from './message.ts'

type Ticket = z.output<typeof TicketInput>
type Application = z.output<typeof ApplicationInput>

/** To the sender of a ticket. */
export function ticketReceivedMessage(brand: Brand, ticket: Ticket, number: string): Message {
  return {
    kind: 'ticket_received',
    subject: `We received your message (${number})`,
    paragraphs: [
      `Thank you for writing to ${brand.productName}. Your ticket has the number ${number}; we answer to this address.`,
      'You wrote:',
      ticket.query,
    ],
    hasSecret: false,
  }
}

/** To the team. What a stranger wrote stays text. */
export function ticketForTeamMessage(ticket: Ticket, number: string): Message {
  const kind = ticket.isFeatureRequest ? 'Feature request' : 'Question'
  return {
    kind: 'ticket_for_team',
    subject: `${number}: ${kind}, severity ${ticket.severity}`,
    paragraphs: [ticket.query],
    rows: [
      ['From', ticket.email],
      ['Severity', ticket.severity],
      ['Kind', kind],
    ],
    hasSecret: false,
  }
}

/** To somebody who applied for a job. */
export function applicationReceivedMessage(brand: Brand, jobId: string, number: string): Message {
  return {
    kind: 'application_received',
    subject: `We received your application (${number})`,
    paragraphs: [
      `Thank you for applying to ${brand.legalEntity} for "${jobId}". Your application has the number ${number}.`,
      'We read every application and will be in touch.',
    ],
    hasSecret: false,
  }
}

/** To the team: everything that was filled in, as it was sent. `number` is what the applicant was told too. */
export function applicationForTeamMessage(application: Application, number: string): Message {
  return {
    kind: 'application_for_team',
    subject: `${number}: ${application.jobId}, ${application.fullName}`,
    paragraphs: ['Experience:', application.experience, 'Why join:', application.whyJoin],
    rows: Object.entries(application)
      .filter(([name]) => name !== 'experience' && name !== 'whyJoin')
      .map(([name, value]) => [name, value] as const),
    hasSecret: false,
  }
}
