import { and, eq, isNull, sql } from 'drizzle-orm'
import { AUTH } from '../../../src/contract/messages.ts'
import type { loginEndpoint } from '../../../src/contract/session.ts'
import { users } from '../../db/schema/users.ts'
import { recordAfterAnswer } from '../account/account-event.ts'
import { accountKey } from '../account/address.ts'
import type { Account } from '../account/account-query.ts'
import {
  countTry,
  type DailyCount,
  dailyCount,
  requireWithinLimit,
  uncountOne,
} from '../account/daily-count.ts'
import { isMarked, markedCredential, triesKey } from '../account/device-mark.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { Refusal } from '../refusal.ts'
import type { Call, PublicHandler } from '../handler.ts'
import { newTicket, storeTicket } from '../factors/sign-in-ticket.ts'
import { isNewDevice, signInColumns, signedIn, signInStatements } from './sign-in.ts'
import { factorColumns, isTwoStep } from '../account/has-factor.ts'
import { insertSession, requireUsable } from '../account/session.ts'
import { hashPassword, needsRehash, verifyPassword } from '../account/password-hash.ts'

type Credentials = Call<typeof loginEndpoint>['body']

/**
 * Signs in with a password. An unknown address takes the same time as a wrong password and gets the same answer,
 * INVALID_CREDENTIALS. An account with a second step answers FACTOR_REQUIRED and a ticket instead of a session. When
 * the hash or the factors changed during the check, the check runs once more: after a reset the old password fails,
 * and after another sign-in renewed the hash it still works.
 */
export const login: PublicHandler<typeof loginEndpoint> = async (ctx, { body }) => {
  const accounts = (await trySignIn(ctx, body)) ?? (await trySignIn(ctx, body))
  if (accounts === null) throw new Refusal('INVALID_CREDENTIALS', AUTH.invalidCredentials)
  return signedIn(ctx, accounts)
}

/** The account with its new session; null when the hash or the factors changed meanwhile. */
async function trySignIn(ctx: Context, body: Credentials): Promise<Account[] | null> {
  const user = await requireFit(ctx, body)
  if (isTwoStep(user)) await askForSecondStep(ctx, user, body)
  const isUnknown = await isNewDevice(ctx, user)
  const passwordHash = await currentHash(ctx, user, body.password)
  const statements = await signInStatements(ctx, {
    user,
    isRemembered: body.rememberMe,
    isNewDevice: isUnknown,
    opening: (session) => insertSession(ctx, session, user.passwordHash),
    further: () => [keepHash(ctx, user, passwordHash), uncountOne(ctx, user.count)],
  })
  const { accounts } = await ctx.db.batch(statements)
  if (accounts.length === 0) return null
  if (isUnknown) ctx.waitUntil(() => deliverDueMail(ctx))
  return accounts
}

/** The same for addresses without an account. */
const TOO_MANY =
  'Too many wrong passwords were entered for this account today. Sign in on a device you have used before, with Google or with a passkey, or reset your password by email.'

/**
 * The user whose password matches. INVALID_CREDENTIALS otherwise, RATE_LIMITED after many wrong passwords of a day: from
 * browsers that the account knows, or from all others.
 */
async function requireFit(ctx: Context, body: Credentials): Promise<Candidate & Counted> {
  const emailKey = accountKey(body.email)
  const count = await dailyCount(ctx, 'password', await triesKey(ctx, emailKey))
  const { tried, candidates } = await ctx.db.batch({
    tried: countTry(ctx, count),
    candidates: findByEmail(ctx, emailKey),
  })
  const user = candidates[0] ?? null
  if (user !== null && (await hasOldMark(ctx, user))) {
    await ctx.db.batch([uncountOne(ctx, count)])
    return requireFit({ ...ctx, deviceMark: { ...ctx.deviceMark, given: '' } }, body)
  }
  requireWithinLimit(ctx, tried, TOO_MANY)
  const hash = user?.passwordHash ?? null
  const isKnown = (await markedCredential(ctx, emailKey)) !== null
  const check = () => verifyPassword(body.password, hash, ctx.hashCost)
  const known = isKnown ? `known:${emailKey}` : undefined
  const fits = await ctx.queues.hashes.run(ctx.visitor.ipPrefix, check, known)
  if (user !== null && fits) {
    requireUsable(user, 'INVALID_CREDENTIALS')
    return { ...user, count }
  }
  // A known address does not answer later than an unknown one.
  if (user !== null) recordAfterAnswer(ctx, { userId: user.id, kind: 'sign_in_failed' })
  throw new Refusal('INVALID_CREDENTIALS', AUTH.invalidCredentials)
}

interface Counted {
  /** The counter that counted this try as a wrong one before it was checked. */
  count: DailyCount
}

/** Whether the browser has a mark of this account from before the password was changed. */
async function hasOldMark(ctx: Context, user: Candidate): Promise<boolean> {
  const marked = await markedCredential(ctx, user.emailKey)
  return marked !== null && !(await isMarked(ctx, user))
}

function findByEmail(ctx: Context, emailKey: string) {
  return ctx.db
    .select({
      ...signInColumns(ctx),
      ...factorColumns(),
    })
    .from(users)
    .where(and(eq(users.emailKey, emailKey), isNull(users.deletedAt)))
}

/** Throws FACTOR_REQUIRED with a ticket, unless the password was changed meanwhile. */
async function askForSecondStep(
  ctx: Context,
  user: Candidate & Counted,
  body: Credentials,
): Promise<void> {
  const ticket = await newTicket(ctx, {
    ...user,
    userId: user.id,
    isRemembered: body.rememberMe,
  })
  const isUnchanged = sql`FROM ${users} WHERE ${users.id} = ${user.id} AND ${users.passwordHash} = ${user.passwordHash}`
  const { stored } = await ctx.db.batch({
    stored: storeTicket(ctx, ticket, isUnchanged),
    uncounted: uncountOne(ctx, user.count),
  })
  if (stored.rowsAffected === 1) throw ticket.refusal
}

type Candidate = Awaited<ReturnType<typeof findByEmail>>[number]

/** The stored hash, or a new one when the cost settings have changed. */
async function currentHash(ctx: Context, user: Candidate, password: string): Promise<string> {
  if (!needsRehash(user.passwordHash, ctx.hashCost)) return user.passwordHash
  const hash = () => hashPassword(password, ctx.randomBytes, ctx.hashCost)
  return ctx.queues.hashes.run(ctx.visitor.ipPrefix, hash, user.id)
}

/** Stores the hash, unless the password was changed meanwhile. */
function keepHash({ db }: Context, user: Candidate, passwordHash: string) {
  return db
    .update(users)
    .set({ passwordHash })
    .where(and(eq(users.id, user.id), eq(users.passwordHash, user.passwordHash)))
}
