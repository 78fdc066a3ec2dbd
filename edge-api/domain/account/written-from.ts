import { type SQL, sql } from 'drizzle-orm'
import { jobApplications, mails, supportTickets } from '../../db/schema/records.ts'
import { submissionMailIds } from '../mail/submission-mails.ts'
import type { Context } from '../context.ts'

type Submissions = typeof supportTickets | typeof jobApplications

/** Tickets or applications that came from an address, in any letter case. */
export function isFrom(submissions: Submissions, email: string): SQL {
  return sql`lower(${submissions.email}) = lower(${email})`
}

/** Deletes tickets and applications sent from an address, and the mails that repeat them. */
export function eraseSubmissions({ db }: Context, email: string) {
  return [
    db.delete(mails).where(repeats(supportTickets, email)),
    db.delete(mails).where(repeats(jobApplications, email)),
    db.delete(supportTickets).where(isFrom(supportTickets, email)),
    db.delete(jobApplications).where(isFrom(jobApplications, email)),
  ] as const
}

function repeats(submissions: Submissions, email: string): SQL {
  const { toSender, toTeam } = submissionMailIds(submissions.id)
  const written = sql`FROM ${submissions} WHERE ${isFrom(submissions, email)}`
  return sql`${mails.id} IN (SELECT ${toSender} ${written} UNION ALL SELECT ${toTeam} ${written})`
}
