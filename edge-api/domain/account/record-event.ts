import { type SQL, sql } from 'drizzle-orm'
import type { AccountEventKind } from '../../../src/contract/notice.ts'
import { insertFrom } from '../../db/insert-from.ts'
import { accountEvents } from '../../db/schema/records.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { days } from '../time.ts'

/** How long events are listed for their account; older ones are not unread either. */
export const LISTED_MS = days(90)

/** The kinds that notifications show. The others belong to the audit trail and the sign-in history. */
export const NOTICE_KINDS = [
  'signed_in_new_device',
  'email_verified',
  'trial_granted',
  'password_changed',
  'password_reset',
  'paid',
  'refund_asked',
  'refunded',
  'disputed',
  'plan_ending',
  'tokens_low',
  'by_support',
  'device_connected',
  'google_connected',
  'not_me',
  'factor_added',
  'factor_removed',
  'recovery_codes_renewed',
  'recovery_code_used',
] as const satisfies readonly AccountEventKind[]

/** Events that prove that somebody holds the account: evidence in a dispute. */
export const SIGNS_OF_USE = [
  'registered',
  'email_verified',
  'signed_in',
  'signed_in_new_device',
  'device_connected',
] as const satisfies readonly AccountEventKind[]

export interface NewAccountEvent<UserId = string> {
  /** A new id when left out. */
  id?: string
  userId: UserId
  kind: AccountEventKind
  detail?: Record<string, string | number>
  /** Where it happened; the visitor's own device when left out. */
  device?: string
}

/** A row for the account's history, written in the batch of the change it records. */
export function accountEventRow<UserId>(ctx: Context, event: NewAccountEvent<UserId>) {
  return {
    id: event.id ?? ctx.newId('evt'),
    userId: event.userId,
    kind: event.kind,
    detail: JSON.stringify(event.detail ?? {}),
    device: event.device ?? ctx.visitor.device,
    ipPrefix: ctx.visitor.ipPrefix,
    createdAt: ctx.now,
  }
}

/** The statement that records an event. Records nothing once the account is deleted: the row would outlast the deletion. */
export function recordEvent(ctx: Context, event: NewAccountEvent) {
  return recordEventFrom(
    ctx,
    event,
    sql`FROM ${users} WHERE ${users.id} = ${event.userId} AND ${users.deletedAt} IS NULL`,
  )
}

/** The statement that records an event for each row of `source`, a FROM or WHERE clause that may name the user. */
export function recordEventFrom(ctx: Context, event: NewAccountEvent<string | SQL>, source: SQL) {
  return ctx.db.run(insertFrom(accountEvents, accountEventRow(ctx, event), source))
}

/**
 * As `recordEventFrom`, with `isRecorded`: in SQL, whether this statement recorded the event. The other statements of its
 * batch ask that, so that all of them run or none.
 */
export function recordEventIf(ctx: Context, event: NewAccountEvent<string | SQL>, source: SQL) {
  const id = ctx.newId('evt')
  return {
    id,
    event: recordEventFrom(ctx, { ...event, id }, source),
    isRecorded: sql`EXISTS (SELECT 1 FROM ${accountEvents} WHERE ${accountEvents.id} = ${id})`,
  }
}

/** Records an event after the answer, which says nothing about it and does not wait for it. */
export function recordAfterAnswer(ctx: Context, event: NewAccountEvent): void {
  ctx.waitUntil(async () => {
    await ctx.db.batch([recordEvent(ctx, event)])
  })
}
