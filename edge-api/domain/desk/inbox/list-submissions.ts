import { and, asc, desc, eq, gt, lt } from 'drizzle-orm'
import {
  type applicationsEndpoint,
  DECIDED,
  INBOX_MAX,
  type ticketsEndpoint,
} from '../../../../src/contract/desk-inbox.ts'
import { jobApplications, supportTickets } from '../../../db/schema/records.ts'
import type { OperatorVerb } from '../../verb.ts'
import { toApplicationRow, toTicketRow } from './to-row.ts'

/** Tickets in a state: the oldest first, because they have waited for longest; of the closed, the newest. */
export const listTickets: OperatorVerb<typeof ticketsEndpoint> = async (
  ctx,
  { query: { state, after } },
) => {
  const { number } = supportTickets
  const isDone = state === 'closed'
  const { found } = await ctx.db.batch({
    found: ctx.db
      .select()
      .from(supportTickets)
      .where(
        and(
          eq(supportTickets.state, state),
          after === undefined ? undefined : isDone ? lt(number, after) : gt(number, after),
        ),
      )
      .orderBy(isDone ? desc(number) : asc(number))
      .limit(INBOX_MAX + 1),
  })
  return {
    success: true,
    tickets: found.slice(0, INBOX_MAX).map(toTicketRow),
    hasMore: found.length > INBOX_MAX,
  }
}

/** Applications in a state, for one job or all: the oldest first; of the decided, the newest. */
export const listApplications: OperatorVerb<typeof applicationsEndpoint> = async (
  ctx,
  { query: { state, jobId, after } },
) => {
  const { number } = jobApplications
  const isDone = DECIDED.includes(state)
  const { found } = await ctx.db.batch({
    found: ctx.db
      .select()
      .from(jobApplications)
      .where(
        and(
          eq(jobApplications.state, state),
          jobId === undefined ? undefined : eq(jobApplications.jobId, jobId),
          after === undefined ? undefined : isDone ? lt(number, after) : gt(number, after),
        ),
      )
      .orderBy(isDone ? desc(number) : asc(number))
      .limit(INBOX_MAX + 1),
  })
  return {
    success: true,
    applications: found.slice(0, INBOX_MAX).map(toApplicationRow),
    hasMore: found.length > INBOX_MAX,
  }
}
