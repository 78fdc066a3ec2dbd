import { sql } from 'drizzle-orm'
import { insertFrom } from '../../db/insert-from.ts'
import { deskActs } from '../../db/schema/desk.ts'
import type { Context } from '../context.ts'

interface Done {
  kind: string
  /** The account that it is about. */
  userId?: string | null | undefined
  /** The purchase, mail, alarm, switch or submission that it is about. */
  subject: string | null
  reason: string
  /** A sentence for each change. */
  changes: readonly string[]
}

/** What an operator does, to be written down for ever in the batch that does it. */
export type Entry = ReturnType<typeof newEntry>

/** `operatorId` is an account, or `ops:` and a name of a machine. */
export function newEntry({ db, now, newId }: Context, operatorId: string, done: Done) {
  const id = newId('act')
  const { kind, userId, subject, reason } = done
  const changes = JSON.stringify(done.changes)
  const row = { id, operatorId, kind, userId, subject, reason, changes, createdAt: now }
  return {
    id,
    /** The statement that writes the entry, under a condition. It returns a row when it did. */
    write: (when = sql`true`) =>
      db.all<{ id: string }>(sql`${insertFrom(deskActs, row, sql`WHERE ${when}`)} RETURNING id`),
    /** In SQL, whether the entry was written. The other statements of the batch ask it. */
    isWritten: sql`EXISTS (SELECT 1 FROM ${deskActs} WHERE ${deskActs.id} = ${id})`,
  }
}
