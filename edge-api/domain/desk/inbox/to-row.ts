import type { ApplicationRow, TicketRow } from '../../../../src/contract/desk-inbox.ts'
import type { jobApplications, supportTickets } from '../../../db/schema/records.ts'
import { toIso, toIsoOrNull } from '../../time.ts'

/** How much of a message a list shows, in characters. */
const BEGINS_MAX = 160

/** A ticket as a list shows it. */
export function toTicketRow(ticket: typeof supportTickets.$inferSelect): TicketRow {
  const { number, email, state, severity, isFeatureRequest, query, createdAt } = ticket
  const begins = query.replaceAll(/\s+/g, ' ')
  return {
    number,
    email,
    state,
    severity,
    isFeatureRequest,
    begins: begins.length > BEGINS_MAX ? `${begins.slice(0, BEGINS_MAX).trimEnd()}…` : begins,
    at: toIso(createdAt),
  }
}

/** An application as a list shows it. */
export function toApplicationRow(application: typeof jobApplications.$inferSelect): ApplicationRow {
  const { number, email, state, jobId, fullName, decidedAt, createdAt } = application
  return {
    number,
    email,
    state,
    jobId,
    fullName,
    decidedAt: toIsoOrNull(decidedAt),
    at: toIso(createdAt),
  }
}
