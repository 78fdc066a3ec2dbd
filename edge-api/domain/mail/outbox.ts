import { is, SQL, sql } from 'drizzle-orm'
import { insertFrom } from '../../db/insert-from.ts'
import { mails } from '../../db/schema/records.ts'
import type { Context } from '../context.ts'
import { oneLine } from './message.ts'
import type { MailKind, MailPayload } from './render.ts'

type OutboxContext = Pick<Context, 'db' | 'newId' | 'now'>

interface NewMail<Kind extends MailKind> {
  kind: Kind
  payload: MailPayload<Kind>
  to: string
  userId: string | null
  /** Made from the cause, for a mail that must exist only once. A new id when left out. */
  id?: string
}

/**
 * The statement that puts a mail into the outbox, due at once: part of the batch of the change that causes it.
 * The same id twice keeps the first.
 */
export function enqueueMail<Kind extends MailKind>(ctx: OutboxContext, mail: NewMail<Kind>) {
  return enqueueMails(ctx, [mail])
}

/** As `enqueueMail`, for at least one and at most a few hundred mails in one statement. */
export function enqueueMails<Kind extends MailKind>(ctx: OutboxContext, batch: NewMail<Kind>[]) {
  const rows = batch.map((mail) => ({
    id: mail.id ?? ctx.newId('mail'),
    userId: mail.userId,
    kind: mail.kind,
    toAddress: oneLine(mail.to),
    payload: JSON.stringify(mail.payload),
    createdAt: ctx.now,
    dueAt: ctx.now,
  }))
  return ctx.db.insert(mails).values(rows).onConflictDoNothing()
}

/** Each value, or an SQL expression for a value that only the database knows. */
type OrSql<Value> = { [Name in keyof Value]: Value[Name] | SQL }

export interface NewMailFrom<Kind extends MailKind> {
  kind: Kind
  payload: OrSql<MailPayload<Kind>>
  to: string | SQL
  userId: string | SQL | null
  id?: string | SQL
}

/**
 * As `enqueueMail`, for each row of `source`: a FROM and WHERE, or a WHERE alone. Expressions over it may stand for
 * any value. Returns the ids of the mails that were written.
 */
export function enqueueMailFrom<Kind extends MailKind>(
  ctx: OutboxContext,
  { id = ctx.newId('mail'), kind, to, userId, payload }: NewMailFrom<Kind>,
  source: SQL,
) {
  const row = {
    id,
    userId,
    kind,
    toAddress: is(to, SQL) ? to : oneLine(to),
    payload: payloadFrom(payload),
    createdAt: ctx.now,
    dueAt: ctx.now,
  }
  const insert = insertFrom(mails, row, source)
  return ctx.db.all<{ id: string }>(sql`${insert} ON CONFLICT (id) DO NOTHING RETURNING id`)
}

/** A payload as JSON. Known values are one parameter, and the database sets its own into it. */
function payloadFrom(payload: object): SQL {
  const facts: [string, unknown][] = Object.entries(payload)
  const known = Object.fromEntries(facts.filter(([, value]) => !is(value, SQL)))
  const unknown = facts.flatMap(([name, value]) =>
    is(value, SQL) ? [sql`, ${`$.${name}`}, ${value}`] : [],
  )
  const json = sql`${JSON.stringify(known)}`
  return unknown.length === 0 ? json : sql`json_set(${json}${sql.join(unknown)})`
}
