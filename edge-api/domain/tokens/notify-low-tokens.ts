import { sql } from 'drizzle-orm'
import { insertFrom } from '../../db/insert-from.ts'
import { accountEvents } from '../../db/schema/records.ts'
import { balances } from '../../db/schema/tokens.ts'
import type { Context } from '../context.ts'
import { enqueueMailFrom } from '../mail/outbox.ts'

/** Below this share of the tokens that were granted, the user is notified. */
const LOW_SHARE_PERCENT = 10
const IS_LOW = sql`(b.total - b.used) * 100 < b.total * ${LOW_SHARE_PERCENT}`

/** Runs before tokens are used: once a user has enough tokens again, the next fall notifies again. */
export function resetLowTokens(ctx: Context, userId: string) {
  return ctx.db.run(sql`
    UPDATE ${balances} AS b SET low_notified_total = 0
    WHERE b.user_id = ${userId} AND b.payment_mode = ${ctx.paymentMode} AND b.low_notified_total <> 0 AND NOT ${IS_LOW}
  `)
}

/**
 * After tokens were used under a `ref` of a list (JSON): a notice and, unless the user switched reminders off, a mail, once for each fall
 * below the share. `mailed` returns the mail's id.
 */
export function notifyLowTokens(ctx: Context, userId: string, refs: string) {
  const falls = sql`
    b.user_id = ${userId} AND b.payment_mode = ${ctx.paymentMode} AND b.low_notified_total = 0 AND ${IS_LOW}
    AND EXISTS (SELECT 1 FROM ledger l WHERE l.ref IN (SELECT value FROM json_each(${refs})))`
  const event = {
    id: ctx.newId('evt'),
    userId: sql`b.user_id`,
    kind: 'tokens_low',
    detail: sql`json_object('left', b.total - b.used)`,
    createdAt: ctx.now,
  }
  return {
    mailed: enqueueMailFrom(
      ctx,
      { kind: 'tokens_low', payload: {}, to: sql`u.email`, userId },
      sql`FROM balances b JOIN users u ON u.id = b.user_id
        WHERE ${falls} AND u.mail_reminders = 1 AND u.deleted_at IS NULL`,
    ),
    notice: ctx.db.run(insertFrom(accountEvents, event, sql`FROM balances b WHERE ${falls}`)),
    notified: ctx.db.run(
      sql`UPDATE ${balances} AS b SET low_notified_total = b.total WHERE ${falls}`,
    ),
  }
}
