import { eq, inArray, or, sql } from 'drizzle-orm'
import { AUTH, TOAST } from '../../../src/contract/messages.ts'
import type { registerEndpoint } from '../../../src/contract/session.ts'
import { insertFrom } from '../../db/insert-from.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { enqueueMail, enqueueMailFrom } from '../mail/outbox.ts'
import { ApiError } from '../api-error.ts'
import { insertSession, newSession } from '../session/session.ts'
import { answerSignIn } from './every-sign-in.ts'
import { trialFact } from '../flags/flags.ts'
import { hours } from '../time.ts'
import type { PublicHandler } from '../handler.ts'
import { acceptPassword } from '../password/accept-password.ts'
import { recordEventFrom } from '../account/record-event.ts'
import { byMailPriority } from '../account/find-by-address.ts'
import { accountKey, emailKeysOf } from '../account/address.ts'
import { accountQuery } from '../session/account-query.ts'
import { countOne, dailyCounter, isBelowLimit, rejectToday } from '../account/daily-limit.ts'
import {
  countMail,
  type MailCounts,
  mayMail,
  unverifiedMails,
} from '../account/unverified-mails.ts'
import { type MailedLink, newMailedLink, storeLinkFrom } from '../mailed-link/mailed-link.ts'
import { acceptedTerms } from '../account/terms.ts'

/**
 * Creates an account, opens a session and mails a verification link in one batch, so that exactly one of many
 * registrations with one address succeeds. EMAIL_TAKEN or USERNAME_TAKEN otherwise; RATE_LIMITED after many
 * accounts were made from one network on a day; rejected registrations do not count.
 */
export const register: PublicHandler<typeof registerEndpoint> = async (ctx, { body }) => {
  const { password } = body
  const passwordHash = await acceptPassword(ctx, { password, owner: body, path: 'password' })
  const keys = emailKeysOf(body.email)
  const user = {
    id: ctx.newId('usr'),
    username: body.username,
    usernameKey: accountKey(body.username),
    email: body.email,
    emailKey: keys[0],
    passwordHash,
    ...acceptedTerms(ctx.now),
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  const session = newSession(ctx, { userId: user.id, kind: 'browser', isRemembered: false })
  const link = await newMailedLink(ctx, 'verify')
  const count = await dailyCounter(ctx, 'signUp', ctx.visitor.ipPrefix)
  const counts = await unverifiedMails(ctx, user.email)
  const ofAccount = await dailyCounter(ctx, 'verification', user.id)
  const isFree = sql`NOT EXISTS (SELECT 1 FROM ${users} WHERE ${inArray(users.emailKey, keys)})`
  const insert = insertFrom(users, user, sql`WHERE ${isBelowLimit(count)} AND ${isFree}`)
  const made = sql`FROM ${users} WHERE ${users.id} = ${user.id}`
  const { accounts, holders, network } = await ctx.db.batch({
    network: ctx.db.all<{ isAllowed: number }>(sql`SELECT ${isBelowLimit(count)} AS "isAllowed"`),
    user: ctx.db.run(sql`${insert} ON CONFLICT DO NOTHING`),
    counted: [countOne(ctx, count, made), countOne(ctx, ofAccount, made)],
    session: insertSession(ctx, session),
    welcome: welcome(ctx, user, { ...link, counts }),
    accounts: accountQuery(ctx, { userId: user.id, sessionId: session.id }),
    holders: ctx.db
      .select({
        id: users.id,
        email: users.email,
        emailKey: users.emailKey,
        emailVerifiedAt: users.emailVerifiedAt,
      })
      .from(users)
      .where(or(inArray(users.emailKey, keys), eq(users.usernameKey, user.usernameKey)))
      .orderBy(...byMailPriority),
  })
  if (network[0]?.isAllowed !== 1) throw rejectToday(ctx)
  if (accounts.length === 0) rejectTaken(ctx, holders, keys)
  ctx.waitUntil(() => deliverDueMail(ctx))
  return answerSignIn(ctx, accounts, TOAST.registered)
}

/**
 * The verification link, its mail and the first events, provided this call created the account. A mailbox that has had
 * today's mails gets none: its owner may ask for the link tomorrow.
 */
function welcome(ctx: Context, { id, email }: { id: string; email: string }, link: CountedLink) {
  const made = sql`FROM ${users} WHERE ${users.id} = ${id}`
  const { counts } = link
  return [
    ...countMail(ctx, counts, made),
    storeLinkFrom(ctx, link, made),
    enqueueMailFrom(
      ctx,
      {
        kind: 'verify_address',
        payload: { secret: link.secret, ...trialFact() },
        to: email,
        userId: id,
      },
      sql`${made} AND ${mayMail(counts)}`,
    ),
    recordEventFrom(ctx, { userId: id, kind: 'registered' }, made),
    // Registering signs in, so the sign-in history starts here. No mail reports this first device.
    recordEventFrom(ctx, { userId: id, kind: 'signed_in' }, made),
  ] as const
}

interface CountedLink extends MailedLink {
  /** Today's mails to the mailbox. */
  counts: MailCounts
}

type Holder = Pick<typeof users.$inferSelect, 'id' | 'email' | 'emailKey' | 'emailVerifiedAt'>

/**
 * Throws EMAIL_TAKEN or USERNAME_TAKEN. Mails the user of a verified address about the attempt, after the answer: nothing in
 * it tells whether the address is verified.
 */
function rejectTaken(ctx: Context, holders: Holder[], keys: string[]): never {
  const owner = holders.find(({ emailKey }) => keys.includes(emailKey))
  if (owner === undefined) {
    throw new ApiError('USERNAME_TAKEN', AUTH.usernameTaken, {
      errors: [{ path: 'username', msg: AUTH.usernameTaken }],
    })
  }
  if (owner.emailVerifiedAt !== null) ctx.waitUntil(() => mailAttempt(ctx, owner))
  throw new ApiError('EMAIL_TAKEN', AUTH.emailTaken, {
    errors: [{ path: 'email', msg: AUTH.emailTaken }],
  })
}

/** At most one such mail an hour: the id is the same for all attempts of an hour. */
async function mailAttempt(ctx: Context, { id, email }: Holder): Promise<void> {
  const hour = Math.floor(ctx.now / hours(1))
  await ctx.db.batch([
    enqueueMail(ctx, {
      kind: 'registration_attempt',
      payload: {},
      id: `registration-attempt:${id}:${hour}`,
      to: email,
      userId: id,
    }),
  ])
  await deliverDueMail(ctx)
}
