import { type AnyColumn, sql } from 'drizzle-orm'
import { z } from '../../../src/contract/zod.ts'
import { ApplicationInput } from '../../../src/contract/careers.ts'
import { Severity } from '../../../src/contract/support.ts'
import { mailType } from './message.ts'

/** The number the database gives a submission. */
const numbered = { number: z.int() }
const ticketNumber = (value: number) => `T-${value}`
const applicationNumber = (value: number) => `A-${value}`

/** The ids of the two mails that repeat a submission. They contain its id, so that deleting it finds them. */
export function submissionMailIds(id: AnyColumn) {
  return { toSender: sql<string>`${id} || ':sender'`, toTeam: sql<string>`${id} || ':team'` }
}

/**
 * Mails about support tickets and job applications. The API has checked the fields, so these mails repeat them as text
 * and do not check them again.
 */
export const submissionMails = {
  /** To the sender of a ticket. Quotes nothing: anybody can name any address, and would send it a text of their own. */
  ticket_received: mailType(z.object(numbered), ({ number }, { brand }) => ({
    subject: `We received your message (${ticketNumber(number)})`,
    paragraphs: [
      `Thank you for writing to ${brand.productName}. Your ticket has the number ${ticketNumber(number)}; we answer to this address.`,
    ],
  })),

  /** To the team. */
  ticket_for_team: mailType(
    z.object({
      ...numbered,
      email: z.string(),
      severity: Severity,
      isFeatureRequest: z.boolean(),
      query: z.string(),
    }),
    (ticket) => {
      const kind = ticket.isFeatureRequest ? 'Feature request' : 'Question'
      return {
        subject: `${ticketNumber(ticket.number)}: ${kind}, severity ${ticket.severity}`,
        paragraphs: [ticket.query],
        rows: [
          ['From', ticket.email],
          ['Severity', ticket.severity],
          ['Kind', kind],
        ],
      }
    },
  ),

  /** To the applicant. */
  application_received: mailType(
    z.object({ ...numbered, jobId: z.string() }),
    ({ number, jobId }, { brand }) => ({
      subject: `We received your application (${applicationNumber(number)})`,
      paragraphs: [
        `Thank you for applying to ${brand.legalEntity} for "${jobId}". Your application has the number ${applicationNumber(number)}.`,
        'We read every application and will be in touch.',
      ],
    }),
  ),

  /** To the team: every field of the form, as it was filled in. */
  application_for_team: mailType(
    z.object({ ...numbered, application: z.record(ApplicationInput.keyof(), z.string()) }),
    ({ number, application }) => ({
      subject: `${applicationNumber(number)}: ${application.jobId}, ${application.fullName}`,
      paragraphs: ['Experience:', application.experience, 'Why join:', application.whyJoin],
      rows: Object.entries(application).filter(
        ([name]) => name !== 'experience' && name !== 'whyJoin',
      ),
    }),
  ),
}
