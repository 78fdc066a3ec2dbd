import { sql } from 'drizzle-orm'
import { MAIN_PLAN } from '../../../src/contract/catalogue.ts'
import { buildOnce } from '../../db/build-once.ts'
import type { Database } from '../../db/database.ts'
import { insertFrom } from '../../db/insert-from.ts'
import { accountEvents } from '../../db/schema/records.ts'
import { balances } from '../../db/schema/tokens.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { enqueueMailFrom } from '../mail/outbox.ts'

/**
 * Below this share of the tokens that were granted, the user is notified; of no more than a plan's, so that a pack is enough
 * again for an account that has bought many.
 */
const LOW_SHARE_PERCENT = 10
const IS_LOW = sql`(b.total - b.used) * 100 < min(b.total, ${MAIN_PLAN.tokens}) * ${LOW_SHARE_PERCENT}`
/** In SQL, whether the balance `b` has fallen so low that its user is to be notified. */
export const hasFallenLow = sql<number>`(b.low_notified_total = 0 AND ${IS_LOW})`

/** Runs before tokens are used: once a user has enough tokens again, the next fall notifies again. */
export const resetLowTokensNotice = buildOnce((db: Database) =>
  db.run(sql`
    UPDATE ${balances} AS b SET low_notified_total = 0
    WHERE b.user_id = ${sql.placeholder('userId')} AND b.payment_mode = ${sql.placeholder('paymentMode')}
      AND b.low_notified_total <> 0 AND NOT ${IS_LOW}
  `),
)

/**
 * Writes a notice and, unless the user switched reminders off, a mail: once for each fall below the share, however often it is
 * called.
 */
export async function notifyLowTokens(ctx: Context, userId: string): Promise<void> {
  const { db, paymentMode, now: createdAt } = ctx
  const isNewFall = sql`
    b.user_id = ${userId} AND b.payment_mode = ${paymentMode} AND ${hasFallenLow}
    AND EXISTS (SELECT 1 FROM users u WHERE u.id = b.user_id AND u.deleted_at IS NULL)`
  const detail = sql`json_object('left', b.total - b.used)`
  const event = { id: ctx.newId('evt'), userId, kind: 'tokens_low', detail, createdAt } as const
  const { mailed } = await db.batch({
    mailed: enqueueMailFrom(
      ctx,
      { kind: 'tokens_low', payload: {}, to: sql`u.email`, userId },
      sql`FROM balances b JOIN users u ON u.id = b.user_id WHERE ${isNewFall} AND u.mail_reminders = 1`,
    ),
    notice: db.run(insertFrom(accountEvents, event, sql`FROM balances b WHERE ${isNewFall}`)),
    notified: db.run(
      sql`UPDATE ${balances} AS b SET low_notified_total = b.total WHERE ${isNewFall}`,
    ),
  })
  if (mailed.length > 0) await deliverDueMail(ctx)
}
