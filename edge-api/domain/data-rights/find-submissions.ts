import { and, type SQL, sql } from 'drizzle-orm'
import { submissionEntries } from '../../db/schema/inbox.ts'
import { jobApplications, mails, supportTickets } from '../../db/schema/records.ts'
import { submissionMailIds } from '../mail/submission-mails.ts'
import type { Context } from '../context.ts'
import { emailKeysOf } from '../account/address.ts'

export type Submissions = typeof supportTickets | typeof jobApplications

/** Tickets or applications that came from an address, in any spelling. */
export function isFrom(submissions: Submissions, email: string): SQL {
  const keys = sql.join(
    [sql`lower(${email})`, ...emailKeysOf(email).map((key) => sql`${key}`)],
    sql`, `,
  )
  return sql`lower(${submissions.email}) IN (${keys})`
}

/** In SQL, the account whose address a row of a table names; null without one. */
export function senderOf(table: Submissions): SQL<string | null> {
  // With its table, because `users` has a column of this name too.
  return sql`(SELECT u.id FROM users u WHERE u.email_key = lower(${table}.email))`
}

/** As `senderOf`, for verified addresses alone. */
export function verifiedSenderOf(table: Submissions) {
  return sql<string | null>`(SELECT u.id FROM users u
    WHERE u.id = ${senderOf(table)} AND u.email_verified_at IS NOT NULL)`
}

/** In SQL, which tickets or applications are meant. */
type Which = (submissions: Submissions) => SQL

/**
 * Under a condition, deletes tickets and applications, the admins' entries about them, and the mails that repeat or
 * answer them.
 */
export function eraseSubmissions({ db }: Context, which: Which, condition: SQL) {
  const tables = [supportTickets, jobApplications]
  return [
    ...tables.map((table) =>
      db.delete(mails).where(and(mailsAbout(table, which(table)), condition)),
    ),
    ...tables.map((table) =>
      db.delete(submissionEntries).where(and(entriesAbout(table, which(table)), condition)),
    ),
    ...tables.map((table) => db.delete(table).where(and(which(table), condition))),
  ]
}

/** Whether an admin wrote an entry about one of some submissions. */
export function entriesAbout(submissions: Submissions, condition: SQL): SQL {
  return sql`${submissionEntries.submissionId} IN (
    SELECT ${submissions.id} FROM ${submissions} WHERE ${condition}
  )`
}

/** Whether a mail repeats or answers one of some submissions. */
export function mailsAbout(submissions: Submissions, condition: SQL): SQL {
  const { toSender, toTeam } = submissionMailIds(submissions.id)
  const written = sql`FROM ${submissions} WHERE ${condition}`
  return sql`${mails.id} IN (
    SELECT ${toSender} ${written} UNION ALL SELECT ${toTeam} ${written} UNION ALL
    SELECT ${answerMailId} FROM ${submissionEntries} WHERE ${entriesAbout(submissions, condition)}
  )`
}

/** In SQL, the id of the mail that sends an entry. */
export const answerMailId = sql<string>`${submissionEntries.submissionId} || ':' || ${submissionEntries.id}`
