import { and, type SQL, sql } from 'drizzle-orm'
import { jobApplications, mails, supportTickets } from '../../db/schema/records.ts'
import { submissionMailIds } from '../mail/submission-mails.ts'
import type { Context } from '../context.ts'

type Submissions = typeof supportTickets | typeof jobApplications

/** Tickets or applications that came from an address, in any letter case. */
export function isFrom(submissions: Submissions, email: string): SQL {
  return sql`lower(${submissions.email}) = lower(${email})`
}

/** Deletes tickets and applications sent from an address, and the mails that repeat them, under a condition. */
export function eraseSubmissions({ db }: Context, email: string, condition: SQL) {
  return [
    db.delete(mails).where(and(repeats(supportTickets, email), condition)),
    db.delete(mails).where(and(repeats(jobApplications, email), condition)),
    db.delete(supportTickets).where(and(isFrom(supportTickets, email), condition)),
    db.delete(jobApplications).where(and(isFrom(jobApplications, email), condition)),
  ] as const
}

function repeats(submissions: Submissions, email: string): SQL {
  const { toSender, toTeam } = submissionMailIds(submissions.id)
  const written = sql`FROM ${submissions} WHERE ${isFrom(submissions, email)}`
  return sql`${mails.id} IN (SELECT ${toSender} ${written} UNION ALL SELECT ${toTeam} ${written})`
}
