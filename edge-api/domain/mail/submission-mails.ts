import { type AnyColumn, sql } from 'drizzle-orm'
import { z } from '../../../src/contract/zod.ts'
import { ApplicationInput, optionName } from '../../../src/contract/careers.ts'
import { Severity } from '../../../src/contract/support.ts'
import { sayField } from '../ports/alerts.ts'
import { mailType } from './message.ts'

/** The number the database gives a submission. */
const numbered = { number: z.int() }
const ticketNumber = (value: number) => `T-${value}`
const applicationNumber = (value: number) => `A-${value}`

/** The fields of a form that were filled in, for the team. */
const rowsOf = (fields: object) =>
  Object.entries(fields)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => [sayField(name), String(value)] as const)

/** The ids of the two mails that repeat a submission. They contain its id, so that deleting it finds them. */
export function submissionMailIds(id: AnyColumn) {
  return { toSender: sql<string>`${id} || ':sender'`, toTeam: sql<string>`${id} || ':team'` }
}

/** The id of the mail that answers a submission: each of its entries sends one at most. */
export function answerMailId(submissionId: string, entryId: string): string {
  return `${submissionId}:${entryId}`
}

/**
 * Mails about support tickets and job applications. The API has checked the fields, so these mails repeat them as text
 * and do not check them again.
 */
export const submissionMails = {
  /** To the sender of a ticket. Quotes nothing: anybody could name a stranger's address and send it any text. */
  ticket_received: mailType(z.object(numbered), ({ number }, { brand }) => ({
    subject: `We received your message (${ticketNumber(number)})`,
    paragraphs: [
      `Thank you for writing to ${brand.productName}. Your ticket number is ${ticketNumber(number)}; we will reply to this address.`,
    ],
    writtenBy: 'answering program',
    replyTo: brand.supportEmail,
  })),

  /** To the team: every field of the form. */
  ticket_for_team: mailType(
    z.looseObject({
      ...numbered,
      email: z.string(),
      severity: Severity,
      isFeatureRequest: z.boolean(),
      query: z.string(),
    }),
    ({ number, email, severity, isFeatureRequest, query, ...others }, { adminOrigin }) => {
      const kind = isFeatureRequest ? 'Feature request' : 'Question'
      return {
        subject: `${ticketNumber(number)}: ${kind}, severity ${severity}`,
        paragraphs: [query],
        rows: [['From', email], ['Severity', severity], ['Kind', kind], ...rowsOf(others)],
        action: { label: 'Mark it as done', url: `${adminOrigin}/admin/submissions/T-${number}` },
        note: 'Your reply goes to the sender. Keep the number in the subject.',
        replyTo: email,
      }
    },
  ),

  /** To the applicant. */
  application_received: mailType(
    z.object({ ...numbered, jobId: z.string() }),
    ({ number, jobId }, { brand }) => ({
      subject: `We received your application (${applicationNumber(number)})`,
      paragraphs: [
        `Thank you for applying to ${brand.legalEntity} for "${optionName(jobId)}". Your application number is ${applicationNumber(number)}.`,
        'We read every application and will be in touch.',
      ],
      writtenBy: 'answering program',
      replyTo: brand.careersEmail,
    }),
  ),

  /** To the team: every field of the form, as it was filled in. */
  application_for_team: mailType(
    z.object({ ...numbered, application: z.record(ApplicationInput.keyof(), z.string()) }),
    ({ number, application: { experience, whyJoin, ...others } }, { adminOrigin }) => ({
      subject: `${applicationNumber(number)}: ${optionName(others.jobId)}, ${others.fullName}`,
      paragraphs: ['Experience:', experience, 'Why join:', whyJoin],
      rows: rowsOf(others).map(([name, value]) => [name, optionName(value)] as const),
      action: { label: 'Mark it as done', url: `${adminOrigin}/admin/submissions/A-${number}` },
      note: 'Your reply goes to the applicant. Keep the number in the subject.',
      replyTo: others.email,
    }),
  ),

  /** An operator's answer to a ticket or an application. It does not quote the submission, which anybody may have written. */
  submission_answer: mailType(
    z.object({ ...numbered, about: z.enum(['ticket', 'application']), text: z.string() }),
    ({ number, about, text }, { brand }) => {
      const isTicket = about === 'ticket'
      const name = isTicket ? ticketNumber(number) : applicationNumber(number)
      const what = isTicket ? 'message' : 'application'
      return {
        subject: `${brand.productName}: your ${what} ${name}`,
        paragraphs: text.split(/(?:\r?\n){2,}/),
        writtenBy: 'person',
        note: `This answers your ${what} ${name}. To write back, reply to this email and keep ${name} in the subject.`,
        replyTo: isTicket ? brand.supportEmail : brand.careersEmail,
      }
    },
  ),
}
