import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { DESK } from '../../../src/contract/desk.ts'
import { type Act, DESK_ACT } from '../../../src/contract/desk-acts.ts'
import type { Statements } from '../../db/database.ts'
import { insertFrom } from '../../db/insert-from.ts'
import { deskActs } from '../../db/schema/desk.ts'
import { users } from '../../db/schema/users.ts'
import { recordEventFrom } from '../account/account-event.ts'
import { isOperatorKey } from '../account/require-operator.ts'
import type { Context } from '../context.ts'
import { enqueueMailFrom, type NewMailFrom } from '../mail/outbox.ts'
import type { MailKind } from '../mail/render.ts'
import { Refusal, requireRow } from '../refusal.ts'
import { inFigures } from '../format-money.ts'

export type ActOf<Kind extends Act['kind']> = Extract<Act, { kind: Kind }>

/** What an act would do. Nothing has changed before `carryOut`. */
export interface PlannedAct {
  /** A sentence for each change, shown before it is made and kept with the entry. */
  changes: string[]
  /** The purchase, mail, alarm or switch that it is about. */
  subject?: string
  /** Reads what an export hands to the operator. */
  data?: () => Promise<Record<string, unknown>>
  /** Makes the changes and writes the entry, in one batch. */
  carryOut: (entry: Entry) => Promise<unknown>
}

export type Target = typeof users.$inferSelect

/** The refusal when the subject of an act has changed since the operator saw it. */
export function hasChanged(): Refusal {
  return refuse(DESK_ACT.changed)
}

/** Refuses an act that would change nothing or is not allowed. */
export function refuse(reason: string): Refusal {
  return new Refusal('NOTHING_TO_CHANGE', reason)
}

/** NOTHING_TO_CHANGE for an operator's account: at the desk no operator can lock out another. */
export function requireNoOperator(ctx: Context, { emailKey }: Target): void {
  if (isOperatorKey(ctx, emailKey)) throw refuse(DESK_ACT.isOperator)
}

/** Tells the customer, in their notifications and their history, what our support did. */
export function notify(ctx: Context, userId: string, { text, when }: { text: string; when: SQL }) {
  return recordEventFrom(ctx, { userId, kind: 'by_support', detail: { text } }, sql`WHERE ${when}`)
}

/** Mails the customer what our support did. */
export function mailTo<Kind extends MailKind>(ctx: Context, when: SQL, mail: NewMailFrom<Kind>) {
  return enqueueMailFrom(ctx, mail, sql`WHERE ${when}`)
}

/** The account that an act is about. */
export function targetQuery({ db }: Context, userId: string) {
  return db
    .select()
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletedAt)))
}

/** In SQL, whether the account is there, and as the operator saw it: a second click finds it otherwise. */
export function isThere(userId: string, asSeen: SQL): SQL {
  return sql`EXISTS (
    SELECT 1 FROM ${users} u WHERE u.id = ${userId} AND u.deleted_at IS NULL AND ${asSeen})`
}

/** The row of `targetQuery`. NOT_FOUND when there is none. */
export function requireTarget(targets: readonly Target[]): Target {
  return requireRow(targets, 'NOT_FOUND', DESK.noCustomer)
}

interface Done {
  kind: string
  /** The account that it is about. */
  userId?: string | null | undefined
  /** The purchase, mail, alarm, switch or submission that it is about. */
  subject?: string | undefined
  reason: string
  /** A sentence for each change. */
  changes: readonly string[]
}

/** A permanent record of what an operator does, written in the batch that does it. */
type Entry = ReturnType<typeof newEntry>

/** `operatorId` is an account, or `ops:` and a name of a machine. */
export function newEntry({ db, now, newId }: Context, operatorId: string, done: Done) {
  const id = newId('act')
  const { kind, userId, subject, reason } = done
  const changes = JSON.stringify(done.changes)
  const row = { id, operatorId, kind, userId, subject, reason, changes, createdAt: now }
  return {
    id,
    /** The statement that writes the entry, under a condition. It returns a row if it wrote one. */
    write: (when = sql`true`) =>
      db.all<{ id: string }>(sql`${insertFrom(deskActs, row, sql`WHERE ${when}`)} RETURNING id`),
    /** In SQL, whether the entry was written. The other statements of the batch ask it. */
    isWritten: sql`EXISTS (SELECT 1 FROM ${deskActs} WHERE ${deskActs.id} = ${id})`,
  }
}

/**
 * Carries an act out in one batch: the entry is written under a condition, and the statements that follow ask `isWritten`.
 * NOTHING_TO_CHANGE when the condition no longer holds.
 */
export function inOneBatch(
  { db }: Context,
  condition: SQL,
  follow: (isWritten: SQL, entryId: string) => Statements,
  changed: string = DESK_ACT.changed,
): PlannedAct['carryOut'] {
  return async ({ id, write, isWritten }) => {
    const { written } = await db.batch({ written: write(condition), ...follow(isWritten, id) })
    if (written.length === 0) throw refuse(changed)
  }
}

/** `1 token`, `2,000 tokens`. */
export function counted(count: number, what: string): string {
  return `${inFigures(count)} ${what}${count === 1 ? '' : 's'}`
}
