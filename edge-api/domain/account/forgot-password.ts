import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { AUTH } from '../../../src/contract/messages.ts'
import type { forgotPasswordEndpoint } from '../../../src/contract/credential.ts'
import { mailedLinks } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { enqueueMailFrom } from '../mail/outbox.ts'
import type { PublicVerb } from '../verb.ts'
import { recordEventFrom } from './account-event.ts'
import { accountKey } from './account-key.ts'
import { countOne, dailyCount, isWithinLimit } from './daily-count.ts'
import { isMarked, markedCredential, triesKey } from './device-mark.ts'
import { newMailedLink, storeLinkFrom } from './mailed-link.ts'

/** No answer comes sooner. What an unknown address does not have written, a millisecond, is lost in it. */
const ANSWER_MS = 50

/**
 * Mails a reset link, which ends the older ones, up to a number of mails a day. Beyond it a mail is sent only when no link of
 * an earlier one works any more, so that strangers who ask for many cannot keep the owner from having one. Known and unknown
 * addresses get the same answer in the same time: the same statements run, and for an unknown address they insert nothing.
 */
export const forgotPassword: PublicVerb<typeof forgotPasswordEndpoint> = async (ctx, { body }) => {
  const answerAt = ctx.clock() + ANSWER_MS
  const link = await newMailedLink(ctx, 'reset')
  const emailKey = accountKey(body.email)
  const count = await dailyCount(ctx, 'reset', await mailsKey(ctx, emailKey))
  const known = sql`FROM ${users} WHERE ${users.emailKey} = ${emailKey} AND ${users.deletedAt} IS NULL`
  const owner = sql`${known} AND (${isWithinLimit(count)} OR ${hasNoLink(ctx)})`
  await ctx.db.batch([
    countOne(ctx, count, known),
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
    // Last, because with it the account has a link.
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

/**
 * What the mails of a day are counted under. A browser that the account knows has a count of its own, provided the address
 * is proven: otherwise somebody who registered it could make marks, one with each password, and mails without end.
 */
async function mailsKey(ctx: Context, emailKey: string): Promise<string> {
  if ((await markedCredential(ctx, emailKey)) === null) return emailKey
  const { owners } = await ctx.db.batch({
    owners: ctx.db
      .select({ emailKey: users.emailKey, passwordHash: users.passwordHash })
      .from(users)
      .where(
        and(
          eq(users.emailKey, emailKey),
          isNull(users.deletedAt),
          isNotNull(users.emailVerifiedAt),
        ),
      ),
  })
  const [owner] = owners
  const isKnown = owner !== undefined && (await isMarked(ctx, owner))
  return isKnown ? triesKey(ctx, emailKey) : emailKey
}
