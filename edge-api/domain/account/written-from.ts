import { type SQL, sql } from 'drizzle-orm'
import { jobApplications, mails, supportTickets } from '../../db/schema/records.ts'
import { submissionMailIds } from '../mail/submission-mails.ts'
import type { Context } from '../context.ts'

type Letters = typeof supportTickets | typeof jobApplications

/** Tickets or applications that came from an address, in any letter case. */
export function isFrom(letters: Letters, email: string): SQL {
  return sql`lower(${letters.email}) = lower(${email})`
}

/** Throws away what was written from an address, and the mails that repeat it. */
export function eraseLetters({ db }: Context, email: string) {
  return [
    db.delete(mails).where(repeats(supportTickets, email)),
    db.delete(mails).where(repeats(jobApplications, email)),
    db.delete(supportTickets).where(isFrom(supportTickets, email)),
    db.delete(jobApplications).where(isFrom(jobApplications, email)),
  ] as const
}

function repeats(letters: Letters, email: string): SQL {
  const { toSender, toTeam } = submissionMailIds(letters.id)
  const written = sql`FROM ${letters} WHERE ${isFrom(letters, email)}`
  return sql`${mails.id} IN (SELECT ${toSender} ${written} UNION ALL SELECT ${toTeam} ${written})`
}
