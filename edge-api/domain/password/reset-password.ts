import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type {
  checkResetLinkEndpoint,
  forgotPasswordEndpoint,
  resetPasswordEndpoint,
} from '../../../src/contract/credential.ts'
import { AUTH, TOAST } from '../../../src/contract/messages.ts'
import { mailedLinks } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { sha256Hex } from '../encoding.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { enqueueMailFrom } from '../mail/outbox.ts'
import { ApiError } from '../api-error.ts'
import { reportTrials, trialFor, trialStatements } from '../tokens/trial.ts'
import type { PublicHandler } from '../handler.ts'
import { acceptPassword } from './accept-password.ts'
import { recordEventFrom, recordEventIf } from '../account/record-event.ts'
import { mailedId } from '../account/find-by-address.ts'
import { emailKeyOf } from '../account/address.ts'
import { countOne, dailyCounter, isWithinLimit } from '../account/daily-limit.ts'
import { countMail, mayMail, unverifiedMails } from '../account/unverified-mails.ts'
import { rememberDevice, knownBrowserKey } from '../account/device-cookie.ts'
import {
  isUsableLink,
  newMailedLink,
  requireLink,
  securityMail,
  storeLinkFrom,
} from '../mailed-link/mailed-link.ts'
import { endAccess } from '../session/session.ts'

/** Every answer takes at least this long, because an unknown address, for which nothing is written, takes a millisecond less. */
const ANSWER_MS = 50

/**
 * Mails a reset link, which ends the older ones, up to a daily limit. Above it, a verified address gets a mail only when no
 * earlier link still works, so that strangers who ask for many cannot leave the owner without one. Mails to the unverified
 * addresses of a mailbox are counted together (daily-limit.ts). Known and unknown addresses get the same
 * answer in the same time: the same statements run, and for an unknown address they insert nothing.
 */
export const forgotPassword: PublicHandler<typeof forgotPasswordEndpoint> = async (
  ctx,
  { body },
) => {
  const answerAt = ctx.clock() + ANSWER_MS
  const link = await newMailedLink(ctx, 'reset')
  const emailKey = emailKeyOf(body.email)
  // Cookies of all passwords share it: each of its own would mean more mails.
  const isKnown = (await knownBrowserKey(ctx, emailKey)) !== null
  const own = await dailyCounter(ctx, 'reset', isKnown ? `known:${emailKey}` : emailKey)
  const unverified = await unverifiedMails(ctx, emailKey)
  const account = sql`FROM ${users} WHERE ${users.id} = ${mailedId(body.email)}`
  const isVerified = isNotNull(users.emailVerifiedAt)
  const owner = sql`${account} AND iif(${isVerified},
    ${isWithinLimit(own)} OR ${hasNoLink(ctx)}, ${mayMail(unverified)})`
  await ctx.db.batch([
    countOne(ctx, own, sql`${account} AND ${isVerified}`),
    ...countMail(ctx, unverified, sql`${account} AND NOT ${isVerified}`),
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
        payload: {
          secret: link.secret,
          isLocked: sql`json(iif(${users.lockedAt} IS NULL, 'false', 'true'))`,
        },
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

/**
 * Whether a reset link still works, asked before the user types a password. LINK_INVALID when it does not. Changes
 * nothing, so that mail scanners may follow the link.
 */
export const checkResetLink: PublicHandler<typeof checkResetLinkEndpoint> = async (
  ctx,
  { params },
) => {
  const isUsable = isUsableLink(ctx, await sha256Hex(params.token), 'reset')
  const { email } = await requireLink(ctx, isUsable, AUTH.linkInvalid)
  return { success: true, email }
}

/**
 * Sets a new password with a mailed link. If two calls use one link, the database accepts the first, and the other gets
 * LINK_INVALID. Ends all access to the account and its lock, and all mailed links but those that say "This was not me".
 * Verifies the address, because the link was mailed to it, and grants the trial tokens.
 */
export const resetPassword: PublicHandler<typeof resetPasswordEndpoint> = async (ctx, call) => {
  const secretHash = await sha256Hex(call.params.token)
  const isUsable = isUsableLink(ctx, secretHash, 'reset')
  const link = await requireLink(ctx, isUsable, AUTH.linkInvalid)
  // A rejected password does not use the link up.
  const { password } = call.body
  const chosen = { password, owner: link, path: 'password', known: link.userId }
  const passwordHash = await acceptPassword(ctx, chosen)
  const { taken, trialCount } = await ctx.db.batch({
    ...(await resetStatements(ctx, { ...link, secretHash, passwordHash })),
    ...trialStatements(ctx, await trialFor(ctx, link)),
  })
  if (taken.length === 0) throw new ApiError('LINK_INVALID', AUTH.linkInvalid)
  // The reader of the mail can sign in with the new password, however many attempts strangers have used up.
  await rememberDevice(ctx, { emailKey: link.emailKey, passwordHash })
  reportTrials(ctx, trialCount)
  ctx.waitUntil(() => deliverDueMail(ctx))
  return { success: true, message: TOAST.passwordReset }
}

type Reset = Awaited<ReturnType<typeof requireLink>> & { secretHash: string; passwordHash: string }

/**
 * The event is recorded only while the link is usable, and every other statement runs only when this call's event
 * exists: of two calls with the same link, the first changes everything and the second nothing.
 */
async function resetStatements(ctx: Context, reset: Reset) {
  const { userId, email, secretHash, passwordHash } = reset
  const { db, now } = ctx
  const isUsable = isUsableLink(ctx, secretHash, 'reset')
  const { event, isRecorded: isOurs } = recordEventIf(
    ctx,
    { userId, kind: 'password_reset' },
    sql`FROM ${mailedLinks} WHERE ${isUsable}`,
  )
  return {
    event,
    taken: db
      .update(mailedLinks)
      .set({ usedAt: now })
      .where(and(eq(mailedLinks.secretHash, secretHash), isNull(mailedLinks.usedAt), isOurs))
      .returning({ userId: mailedLinks.userId }),
    // Before the next statement, which leaves no address to verify.
    verified: recordEventFrom(
      ctx,
      { userId, kind: 'email_verified' },
      sql`FROM ${users} WHERE ${users.id} = ${userId} AND ${users.emailVerifiedAt} IS NULL AND ${isOurs}`,
    ),
    changed: db
      .update(users)
      .set({
        passwordHash,
        isPasswordVerified: true,
        lockedAt: null,
        emailVerifiedAt: sql`coalesce(${users.emailVerifiedAt}, ${now})`,
        updatedAt: now,
      })
      .where(and(eq(users.id, userId), isOurs)),
    access: endAccess(ctx, { userId, when: isOurs, links: 'all' }),
    mail: await securityMail(ctx, {
      kind: 'password_changed',
      payload: (secret) => ({ secret }),
      user: { id: userId, email },
      source: sql`WHERE ${isOurs}`,
    }),
  }
}
