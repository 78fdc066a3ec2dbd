import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { mails } from '../../db/schema/records.ts'
import type { mailRow } from './outbox.ts'

/**
 * Stands in a message for a number that the database gives in the same batch. Its control characters are
 * refused in every input, so that nobody can write it.
 */
export const NUMBER = '\u0002number\u0003'

/** Who hears of a ticket or an application. */
export const RECIPIENTS = ['sender', 'team'] as const

interface Numbered {
  /** A table with `id` and `number`. */
  table: SQLiteTable
  id: string
  prefix: 'T-' | 'A-'
  recipient: (typeof RECIPIENTS)[number]
}

/** Puts a mail into the outbox with the number of its row written into it, under the row's name. */
export function insertNumberedMail(
  mail: ReturnType<typeof mailRow>,
  { table, id, prefix, recipient }: Numbered,
): SQL {
  const fill = (text: string) => sql`replace(${text}, ${NUMBER}, ${prefix} || source.number)`
  return sql`
    INSERT INTO ${mails} (id, user_id, kind, to_address, subject, text, html, has_secret, created_at, due_at)
    SELECT ${`${id}:${recipient}`}, NULL, ${mail.kind}, ${mail.toAddress}, ${fill(mail.subject)},
           ${fill(mail.text)}, ${fill(mail.html)}, 0, ${mail.createdAt}, ${mail.dueAt}
    FROM ${table} AS source WHERE source.id = ${id}`
}
