import { and, type SQL, sql } from 'drizzle-orm'
import { submissionEntries } from '../../db/schema/inbox.ts'
import { jobApplications, mails, supportTickets } from '../../db/schema/records.ts'
import { submissionMailIds } from '../mail/submission-mails.ts'
import type { Context } from '../context.ts'

export type Submissions = typeof supportTickets | typeof jobApplications

/** Tickets or applications that came from an address, in any letter case. */
export function isFrom(submissions: Submissions, email: string): SQL {
  return sql`lower(${submissions.email}) = lower(${email})`
}

/**
 * Under a condition, deletes the tickets and applications sent from an address, the operators' entries about them, and
 * the mails that repeat or answer them.
 */
export function eraseSubmissions({ db }: Context, email: string, condition: SQL) {
  return [
    db.delete(mails).where(and(repeats(supportTickets, email), condition)),
    db.delete(mails).where(and(repeats(jobApplications, email), condition)),
    db
      .delete(submissionEntries)
      .where(and(entriesAbout(supportTickets, isFrom(supportTickets, email)), condition)),
    db
      .delete(submissionEntries)
      .where(and(entriesAbout(jobApplications, isFrom(jobApplications, email)), condition)),
    db.delete(supportTickets).where(and(isFrom(supportTickets, email), condition)),
    db.delete(jobApplications).where(and(isFrom(jobApplications, email), condition)),
  ] as const
}

/** Whether an operator wrote an entry about one of some submissions. */
export function entriesAbout(submissions: Submissions, condition: SQL): SQL {
  return sql`${submissionEntries.submissionId} IN (
    SELECT ${submissions.id} FROM ${submissions} WHERE ${condition}
  )`
}

function repeats(submissions: Submissions, email: string): SQL {
  return sql`${mails.id} IN (${mailIdsOf(submissions, isFrom(submissions, email))})`
}

/** In SQL, the ids of the mails that repeat or answer some submissions. */
export function mailIdsOf(submissions: Submissions, condition: SQL): SQL {
  const { toSender, toTeam } = submissionMailIds(submissions.id)
  const written = sql`FROM ${submissions} WHERE ${condition}`
  return sql`SELECT ${toSender} ${written} UNION ALL SELECT ${toTeam} ${written} UNION ALL
    SELECT ${answerMailId} FROM ${submissionEntries} WHERE ${submissionEntries.submissionId} IN (
      SELECT ${submissions.id} ${written}
    )`
}

const answerMailId = sql<string>`${submissionEntries.submissionId} || ':' || ${submissionEntries.id}`
