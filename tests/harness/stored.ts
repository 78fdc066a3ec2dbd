import { changeRows, mailsAt } from './fixture/rows.ts'
import { asc, eq, sql } from 'drizzle-orm'
import { accountEvents } from '../../edge-api/db/schema/records.ts'
import { sessions } from '../../edge-api/db/schema/sessions.ts'
import { renderMail } from '../../edge-api/domain/mail/render.ts'
import { createFixture, databaseUrl as ownUrl } from './fixture/fixture.ts'

// Outside of tests nothing is injected, so the time is passed in.
const behind = (databaseUrl: string) => createFixture({ databaseUrl, now: Date.now() }).ctx()

/** The database behind the site, for tests that read or change rows directly. */
export function database(databaseUrl: string = ownUrl()) {
  return behind(databaseUrl).db
}

/** The rendered mails to an address, the oldest first, sent or not. */
export async function mailsTo(email: string, databaseUrl: string = ownUrl()) {
  const ctx = behind(databaseUrl)
  return (await mailsAt(ctx, email)).map((mail) => ({ ...mail, ...renderMail(mail, ctx) }))
}

/** The secret part of the newest link of a kind that was mailed to an address. */
export async function mailedSecret(
  email: string,
  path: 'verify-email' | 'reset-password' | 'not-me',
  databaseUrl?: string,
): Promise<string> {
  const found = await mailsTo(email, databaseUrl)
  const secrets = found.flatMap(
    ({ text }) => new RegExp(`/${path}/([\\w-]+)`).exec(text)?.[1] ?? [],
  )
  const last = secrets.at(-1)
  if (last === undefined) throw new Error(`no ${path} link was mailed to ${email}`)
  return last
}

/** The kinds of an account's events, the oldest first. */
export async function eventsOf(userId: string) {
  const db = database()
  const [rows] = await db.batch([
    db
      .select()
      .from(accountEvents)
      .where(eq(accountEvents.userId, userId))
      .orderBy(asc(accountEvents.createdAt), asc(accountEvents.id)),
  ])
  return rows
}

/** Every value of every row of every table as one text, to search in. */
export async function dumpDatabase(databaseUrl?: string): Promise<string> {
  const db = database(databaseUrl)
  const [tables] = await db.batch([
    db.all<{ name: string }>(sql`
      SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
        AND name NOT LIKE '\\_%' ESCAPE '\\' AND name NOT LIKE 'libsql_%'`),
  ])
  const { rows } = await db.batch({
    rows: tables.map(({ name }) => db.all(sql`SELECT * FROM ${sql.identifier(name)}`)),
  })
  return rows.map((table) => JSON.stringify(table)).join('\n')
}

/** As if no session of the account had confirmed anything. */
export async function unconfirm({ userId }: { userId: string }): Promise<void> {
  const db = database()
  const isOfUser = eq(sessions.userId, userId)
  await changeRows(db, sessions, { confirmedAt: null }, isOfUser)
}
