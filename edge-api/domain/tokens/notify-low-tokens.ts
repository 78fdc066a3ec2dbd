import { sql } from 'drizzle-orm'
import { MAIN_PLAN } from '../../../src/contract/catalogue.ts'
import { buildOnce } from '../../db/build-once.ts'
import type { Database } from '../../db/database.ts'
import { insertFrom } from '../../db/insert-from.ts'
import { accountEvents } from '../../db/schema/records.ts'
import { balances } from '../../db/schema/tokens.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { insertMailFrom } from '../mail/outbox.ts'

/**
 * Below this share of the tokens that were granted, the user is notified; of no more than a plan's, so that a pack is enough
 * again for an account that has bought many.
 */
const LOW_SHARE_PERCENT = 10
const IS_LOW = sql`(b.total - b.used) * 100 < min(b.total, ${MAIN_PLAN.tokens}) * ${LOW_SHARE_PERCENT}`
/** In SQL, whether the balance `b` has fallen so low that its user is to be notified. */
export const hasFallenLow = sql<number>`(b.low_notified_total = 0 AND ${IS_LOW})`

const userId = sql`${sql.placeholder('userId')}`
const paymentMode = sql`${sql.placeholder('paymentMode')}`

/** Runs before tokens are used: once a user has enough tokens again, the next fall notifies again. */
export const resetLowTokensNotice = buildOnce((db: Database) =>
  db.run(sql`
    UPDATE ${balances} AS b SET low_notified_total = 0
    WHERE b.user_id = ${userId} AND b.payment_mode = ${paymentMode} AND b.low_notified_total <> 0 AND NOT ${IS_LOW}
  `),
)

/** The balance of an account that exists, has fallen below the share, and was not notified of it. */
const isNewFall = sql`
  b.user_id = ${userId} AND b.payment_mode = ${paymentMode} AND ${hasFallenLow}
  AND EXISTS (SELECT 1 FROM users u WHERE u.id = b.user_id AND u.deleted_at IS NULL)`

const now = sql`${sql.placeholder('now')}`
const id = sql`${sql.placeholder('id')}`

const insertMail = buildOnce((db: Database) =>
  insertMailFrom(
    { db, now },
    { id, kind: 'tokens_low', payload: {}, to: sql`u.email`, userId },
    sql`FROM balances b JOIN users u ON u.id = b.user_id
      WHERE ${isNewFall} AND u.mail_reminders = 1`,
  ),
)

const insertNotice = buildOnce((db: Database) => {
  const event = {
    id,
    userId: sql`b.user_id`,
    kind: 'tokens_low',
    detail: sql`json_object('left', b.total - b.used)`,
    createdAt: now,
  } as const
  return db.run(insertFrom(accountEvents, event, sql`FROM balances b WHERE ${isNewFall}`))
})

const markNotified = buildOnce((db: Database) =>
  db.run(sql`UPDATE ${balances} AS b SET low_notified_total = b.total WHERE ${isNewFall}`),
)

/**
 * Writes a notice and, unless the user switched reminders off, a mail: once for each fall below the share, however often it is
 * called.
 */
export async function notifyLowTokens(ctx: Context, userId: string): Promise<void> {
  const fall = { userId, paymentMode: ctx.paymentMode, now: ctx.now }
  const { mailed } = await ctx.db.batch({
    mailed: insertMail(ctx, { ...fall, id: ctx.newId('mail') }),
    notice: insertNotice(ctx, { ...fall, id: ctx.newId('evt') }),
    notified: markNotified(ctx, fall),
  })
  if (mailed.length > 0) await deliverDueMail(ctx)
}
