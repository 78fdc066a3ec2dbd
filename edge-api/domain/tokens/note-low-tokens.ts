import { sql } from 'drizzle-orm'
import { accountEvents } from '../../db/schema/records.ts'
import { balances } from '../../db/schema/tokens.ts'
import type { Context } from '../context.ts'
import { enqueueMailFrom } from '../mail/outbox.ts'

/** Below this share of what was bought the owner is told that little is left. */
const LOW_SHARE_PERCENT = 10
const IS_LOW = sql`(b.total - b.used) * 100 < b.total * ${LOW_SHARE_PERCENT}`

/** Before tokens are spent: who has enough again will be told of the next fall. */
export function forgetLowTokens(ctx: Context, userId: string) {
  return ctx.db.run(sql`
    UPDATE ${balances} AS b SET low_notified_total = 0
    WHERE b.user_id = ${userId} AND b.payment_mode = ${ctx.paymentMode} AND b.low_notified_total <> 0 AND NOT ${IS_LOW}
  `)
}

/**
 * After tokens were spent under `ref`: a notice and, unless the owner switched reminders off, a mail (the
 * first statement, which answers its id), once for each fall below the share.
 */
export function noteLowTokens(ctx: Context, { userId, ref }: { userId: string; ref: string }) {
  const falls = sql`
    b.user_id = ${userId} AND b.payment_mode = ${ctx.paymentMode} AND b.low_notified_total = 0 AND ${IS_LOW}
    AND EXISTS (SELECT 1 FROM ledger l WHERE l.ref = ${ref})`
  return [
    enqueueMailFrom(
      ctx,
      { kind: 'tokens_low', payload: {}, to: sql`u.email`, userId },
      sql`FROM balances b JOIN users u ON u.id = b.user_id
        WHERE ${falls} AND u.mail_reminders = 1 AND u.deleted_at IS NULL`,
    ),
    ctx.db.run(sql`
      INSERT INTO ${accountEvents} (id, user_id, kind, detail, created_at)
      SELECT ${ctx.newId('evt')}, b.user_id, 'tokens_low', json_object('left', b.total - b.used), ${ctx.now}
      FROM balances b WHERE ${falls}
    `),
    ctx.db.run(sql`UPDATE ${balances} AS b SET low_notified_total = b.total WHERE ${falls}`),
  ] as const
}
