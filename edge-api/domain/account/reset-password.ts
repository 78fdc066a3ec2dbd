import { and, eq, isNull, sql } from 'drizzle-orm'
import type {
  checkResetLinkEndpoint,
  resetPasswordEndpoint,
} from '../../../src/contract/credential.ts'
import { AUTH, TOAST } from '../../../src/contract/messages.ts'
import { mailedLinks } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { sha256Hex } from '../encoding.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { Refusal } from '../refusal.ts'
import { reportTrials, trialFor, trialStatements } from '../tokens/trial.ts'
import type { PublicHandler } from '../handler.ts'
import { acceptPassword } from './accept-password.ts'
import { recordEventFrom, recordEventIf } from './account-event.ts'
import { accountKey } from './address.ts'
import { markDevice } from './device-mark.ts'
import { isUsableLink, linkQuery, securityMail } from './mailed-link.ts'
import { endAccess } from './session.ts'

/**
 * Whether a reset link still works, asked before the user types a password. LINK_INVALID when it does not. Changes
 * nothing, so that mail scanners may follow the link.
 */
export const checkResetLink: PublicHandler<typeof checkResetLinkEndpoint> = async (
  ctx,
  { params },
) => {
  await requireResetLink(ctx, await sha256Hex(params.token))
  return { success: true }
}

/**
 * Sets a new password with a mailed link. If two calls use one link, the database accepts the first, and the other gets
 * LINK_INVALID. Ends all access to the account, including mailed links. Verifies the address, because the link was
 * mailed to it, and grants the trial tokens.
 */
export const resetPassword: PublicHandler<typeof resetPasswordEndpoint> = async (ctx, call) => {
  const secretHash = await sha256Hex(call.params.token)
  const link = await requireResetLink(ctx, secretHash)
  // A refused password does not use the link up.
  const { password } = call.body
  const passwordHash = await acceptPassword(ctx, { password, owner: link, path: 'password' })
  const { taken, trialCount } = await ctx.db.batch({
    ...(await resetStatements(ctx, { ...link, secretHash, passwordHash })),
    ...trialStatements(ctx, await trialFor(ctx, link)),
  })
  if (taken.length === 0) throw new Refusal('LINK_INVALID', AUTH.linkInvalid)
  // The reader of the mail can sign in with the new password, however many tries strangers have used up.
  await markDevice(ctx, { emailKey: accountKey(link.email), passwordHash })
  reportTrials(ctx, trialCount)
  ctx.waitUntil(() => deliverDueMail(ctx))
  return { success: true, message: TOAST.passwordReset }
}

interface Reset {
  userId: string
  email: string
  secretHash: string
  passwordHash: string
}

/**
 * The event is recorded only while the link is usable, and every other statement runs only when this call's event
 * exists. That is how one of two calls with the same link does everything and the other does nothing.
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
        isPasswordProven: true,
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

/** The account of a usable reset link. LINK_INVALID when the link is unknown, used, voided or expired. */
async function requireResetLink(ctx: Context, secretHash: string) {
  const { links } = await ctx.db.batch({
    links: linkQuery(ctx, isUsableLink(ctx, secretHash, 'reset')),
  })
  const [link] = links
  if (link === undefined) throw new Refusal('LINK_INVALID', AUTH.linkInvalid)
  return link
}
