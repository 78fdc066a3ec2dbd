import { and, eq, gt, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type {
  resendVerificationEndpoint,
  verifyEmailEndpoint,
} from '../../../src/contract/credential.ts'
import { TRIAL_TOKENS } from '../../../src/contract/answers.ts'
import { TOAST } from '../../../src/contract/messages.ts'
import { VERIFICATION } from '../../../src/contract/session-messages.ts'
import { mailedLinks } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { sha256Hex } from '../encoding.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { enqueueMailFrom } from '../mail/outbox.ts'
import { reportTrials, trialFor, trialQuery, trialStatements } from '../tokens/trial.ts'
import { trialFact } from '../flags/flags.ts'
import type { PublicHandler, SessionHandler } from '../handler.ts'
import { recordEventFrom } from '../account/record-event.ts'
import { accountQuery, requireSignedIn } from '../session/account-query.ts'
import { countOne, dailyCounter, isWithinLimit, rejectToday } from '../account/daily-limit.ts'
import { countMail, mayMail, unverifiedMails } from '../account/unverified-mails.ts'
import { newMailedLink, requireLink, storeLinkFrom } from './mailed-link.ts'

/**
 * Verifies the address a link was mailed to, and grants the trial tokens. LINK_INVALID when it is expired, unknown or voided; once
 * the address is verified, every link to it that we know succeeds.
 */
export const verifyEmail: PublicHandler<typeof verifyEmailEndpoint> = async (ctx, { params }) => {
  const { db, now } = ctx
  const secretHash = await sha256Hex(params.token)
  const isThis = and(eq(mailedLinks.secretHash, secretHash), eq(mailedLinks.purpose, 'verify'))
  const isGood = and(isThis, isNull(mailedLinks.voidedAt), gt(mailedLinks.expiresAt, now))
  const isDone = and(isThis, isNotNull(users.emailVerifiedAt))
  const link = await requireLink(ctx, or(isGood, isDone), VERIFICATION.expired)
  // The link and the address are looked at once more, because they may have changed meanwhile.
  const isUnverified = and(
    eq(users.id, link.userId),
    isNull(users.emailVerifiedAt),
    sql`${users.emailKey} = (SELECT ${mailedLinks.emailKey} FROM ${mailedLinks} WHERE ${isGood})`,
  )
  const { trialCount } = await db.batch({
    event: recordEventFrom(
      ctx,
      { userId: link.userId, kind: 'email_verified' },
      sql`FROM ${users} WHERE ${isUnverified}`,
    ),
    verified: db.update(users).set({ emailVerifiedAt: now }).where(isUnverified),
    used: db
      .update(mailedLinks)
      .set({ usedAt: sql`coalesce(${mailedLinks.usedAt}, ${now})` })
      .where(isGood),
    ...trialStatements(ctx, await trialFor(ctx, link)),
  })
  reportTrials(ctx, trialCount)
  const trialTokens = trialCount.length > 0 ? TRIAL_TOKENS : 0
  return { success: true, message: TOAST.emailVerified, email: link.email, trialTokens }
}

/**
 * Mails the verification link again, unless the address is verified and the account had its trial, which the link grants on a
 * day with trials left. RATE_LIMITED after many mails of a day.
 */
export const resendVerification: SessionHandler<typeof resendVerificationEndpoint> = async (
  ctx,
  { claims },
) => {
  const { accounts, trial } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    trial: trialQuery(ctx, claims.userId),
  })
  const { user } = requireSignedIn(accounts)
  if (user.emailVerifiedAt !== null && trial.length > 0)
    return { success: true, message: VERIFICATION.alreadyVerified }
  const link = await newMailedLink(ctx, 'verify')
  const counts = await unverifiedMails(ctx, user.email)
  const ofAccount = await dailyCounter(ctx, 'verification', user.id)
  const isWithin = isWithinLimit(ofAccount)
  const isVerified = sql`${users.emailVerifiedAt} IS NOT NULL`
  // The address is the one that was read: an admin may correct it meanwhile.
  const account = sql`FROM ${users} WHERE ${users.id} = ${user.id} AND ${users.email} = ${user.email} AND ${users.deletedAt} IS NULL AND ${isWithin}`
  const owner = sql`${account} AND (${isVerified} OR ${mayMail(counts)})`
  const { mail } = await ctx.db.batch({
    tried: countOne(ctx, ofAccount),
    counted: countMail(ctx, counts, sql`${account} AND NOT ${isVerified}`),
    link: storeLinkFrom(ctx, link, owner),
    mail: enqueueMailFrom(
      ctx,
      {
        kind: 'verify_address',
        payload: { secret: link.secret, ...trialFact() },
        to: user.email,
        userId: user.id,
      },
      owner,
    ),
  })
  if (mail.length === 0) throw rejectToday(ctx)
  ctx.waitUntil(() => deliverDueMail(ctx))
  return { success: true, message: VERIFICATION.sentAgain }
}
