import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { AUTH } from '../../../src/contract/messages.ts'
import type { forgotPasswordEndpoint } from '../../../src/contract/credential.ts'
import { mailedLinks } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { enqueueMailFrom } from '../mail/outbox.ts'
import type { PublicHandler } from '../handler.ts'
import { recordEventFrom } from './account-event.ts'
import { accountKey, canonicalAddress } from './address.ts'
import { countOne, dailyCount, isWithinLimit } from './daily-count.ts'
import { triesKey } from './device-mark.ts'
import { newMailedLink, storeLinkFrom } from './mailed-link.ts'

/**
 * Every answer takes at least this long. It hides the millisecond saved by an unknown address, for which nothing is
 * written.
 */
const ANSWER_MS = 50

/**
 * Mails a reset link, which ends the older ones, up to a daily limit. Above it, a proven address gets a mail only when no
 * earlier link still works, so that strangers who ask for many cannot leave the owner without one. The unproven addresses
 * of a mailbox share one limit, because strangers can register any number of them. Known and unknown addresses get the same
 * answer in the same time: the same statements run, and for an unknown address they insert nothing.
 */
export const forgotPassword: PublicHandler<typeof forgotPasswordEndpoint> = async (
  ctx,
  { body },
) => {
  const answerAt = ctx.clock() + ANSWER_MS
  const link = await newMailedLink(ctx, 'reset')
  const emailKey = accountKey(body.email)
  const own = await dailyCount(ctx, 'reset', await triesKey(ctx, emailKey))
  const ofMailbox = await dailyCount(ctx, 'reset', `mailbox:${canonicalAddress(emailKey)}`)
  const known = sql`FROM ${users} WHERE ${users.emailKey} = ${emailKey} AND ${users.deletedAt} IS NULL`
  const isProven = isNotNull(users.emailVerifiedAt)
  const owner = sql`${known} AND iif(${isProven},
    ${isWithinLimit(own)} OR ${hasNoLink(ctx)}, ${isWithinLimit(ofMailbox)})`
  await ctx.db.batch([
    countOne(ctx, own, sql`${known} AND ${isProven}`),
    countOne(ctx, ofMailbox, sql`${known} AND NOT ${isProven}`),
    ctx.db
      .update(mailedLinks)
      .set({ voidedAt: ctx.now })
      .where(
        and(
          sql`${mailedLinks.userId} IN (SELECT ${users.id} ${owner})`,
          eq(mailedLinks.purpose, 'reset'),
          isNull(mailedLinks.usedAt),
          isNull(mailedLinks.voidedAt),
        ),
      ),
    enqueueMailFrom(
      ctx,
      {
        kind: 'reset_password',
        payload: { secret: link.secret },
        to: sql`${users.email}`,
        userId: sql`${users.id}`,
      },
      owner,
    ),
    recordEventFrom(ctx, { userId: sql`${users.id}`, kind: 'password_reset_requested' }, owner),
    // Last, because from here on the account has a link.
    storeLinkFrom(ctx, link, owner),
  ])
  ctx.waitUntil(() => deliverDueMail(ctx))
  await ctx.pause(Math.max(0, answerAt - ctx.clock()))
  return { success: true, message: AUTH.resetAccepted }
}

/** In SQL, whether the account has no reset link that still works. */
function hasNoLink({ now }: Context) {
  return sql`NOT EXISTS (
    SELECT 1 FROM ${mailedLinks} l WHERE l.user_id = ${users.id} AND l.purpose = 'reset'
      AND l.used_at IS NULL AND l.voided_at IS NULL AND l.expires_at > ${now})`
}
