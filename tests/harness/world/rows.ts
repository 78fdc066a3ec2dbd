import { eq, sql, type SQL } from 'drizzle-orm'
import type { SQLiteTable, SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core'
import { accountEvents, mails } from '../../../edge-api/db/schema/records.ts'
import { users } from '../../../edge-api/db/schema/users.ts'
import {
  type MailedLink,
  newMailedLink,
  storeLinkFrom,
} from '../../../edge-api/domain/account/mailed-link.ts'
import type { Context } from '../../../edge-api/domain/context.ts'

type Stored = Pick<Context, 'db'>

/** The rows of a table. */
export async function rowsOf<Table extends SQLiteTable>(
  db: Context['db'],
  table: Table,
  isMeant?: SQL,
): Promise<Table['$inferSelect'][]> {
  const [rows] = await db.batch([db.select().from(table).where(isMeant)])
  return rows
}

/** Changes rows as no call of the product does. */
export const changeRows = <Table extends SQLiteTable>(
  db: Context['db'],
  table: Table,
  changes: SQLiteUpdateSetSource<Table>,
  isMeant?: SQL,
) => db.batch([db.update(table).set(changes).where(isMeant)])

/** The row of an account. Throws when there is none. */
export async function userOf({ db }: Stored, userId: string): Promise<typeof users.$inferSelect> {
  const [[user]] = await db.batch([db.select().from(users).where(eq(users.id, userId))])
  if (user === undefined) throw new Error(`there is no account ${userId}`)
  return user
}

/** The mails of an account, in the order they were written. */
export function mailsOf(stored: Stored, userId: string) {
  return mailsWhere(stored, eq(mails.userId, userId))
}

/** The mails to an address, in the order they were written. */
export function mailsAt(stored: Stored, address: string) {
  return mailsWhere(stored, eq(mails.toAddress, address))
}

async function mailsWhere({ db }: Stored, isMeant: SQL) {
  const [rows] = await db.batch([
    db
      .select()
      .from(mails)
      .where(isMeant)
      .orderBy(mails.createdAt, sql`rowid`),
  ])
  return rows
}

/** The kinds of the events of an account, in alphabetical order, because many have the same time. */
export async function eventKindsOf({ db }: Stored, userId: string): Promise<string[]> {
  const [rows] = await db.batch([
    db.select().from(accountEvents).where(eq(accountEvents.userId, userId)),
  ])
  return rows.map(({ kind }) => kind).toSorted()
}

/** The secret of a new link of an account, as a mail would bring it. */
export async function newLink(ctx: Context, userId: string, purpose: MailedLink['purpose']) {
  const link = await newMailedLink(ctx, purpose)
  await ctx.db.batch([storeLinkFrom(ctx, link, sql`FROM ${users} WHERE ${users.id} = ${userId}`)])
  return link.secret
}
