import { and, asc, desc, eq, gt, lt } from 'drizzle-orm'
import {
  type applicationsEndpoint,
  DECIDED,
  INBOX_MAX,
  type ticketsEndpoint,
} from '../../../../src/contract/desk-inbox.ts'
import { jobApplications, supportTickets } from '../../../db/schema/records.ts'
import { accountQuery } from '../../account/account-query.ts'
import { factorsQuery } from '../../account/has-factor.ts'
import { requireOperator } from '../../account/require-operator.ts'
import type { SessionVerb } from '../../verb.ts'
import { toApplicationRow, toTicketRow } from './to-row.ts'

/** Tickets in a state: the oldest first, because they have waited for longest; of the closed, the newest. */
export const listTickets: SessionVerb<typeof ticketsEndpoint> = async (
  ctx,
  { claims, query: { state, after } },
) => {
  const { number } = supportTickets
  const isDone = state === 'closed'
  const { accounts, factors, found } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    factors: factorsQuery(ctx, claims.userId),
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
  requireOperator(ctx, accounts, factors)
  return {
    success: true,
    tickets: found.slice(0, INBOX_MAX).map(toTicketRow),
    hasMore: found.length > INBOX_MAX,
  }
}

/** Applications in a state, for one job or all: the oldest first; of the decided, the newest. */
export const listApplications: SessionVerb<typeof applicationsEndpoint> = async (
  ctx,
  { claims, query: { state, jobId, after } },
) => {
  const { number } = jobApplications
  const isDone = DECIDED.includes(state)
  const { accounts, factors, found } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    factors: factorsQuery(ctx, claims.userId),
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
  requireOperator(ctx, accounts, factors)
  return {
    success: true,
    applications: found.slice(0, INBOX_MAX).map(toApplicationRow),
    hasMore: found.length > INBOX_MAX,
  }
}
