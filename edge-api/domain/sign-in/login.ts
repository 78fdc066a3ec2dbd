import { and, eq, sql } from 'drizzle-orm'
import { AUTH } from '../../../src/contract/messages.ts'
import type { loginEndpoint } from '../../../src/contract/session.ts'
import { users } from '../../db/schema/users.ts'
import { recordAfterAnswer } from '../account/record-event.ts'
import { alertOfDuplicates, isOfAddress, byMailPriority } from '../account/find-by-address.ts'
import { emailKeyOf } from '../account/address.ts'
import type { Account } from '../session/account-query.ts'
import {
  countOne,
  countOneLess,
  type DailyCounter,
  dailyCounter,
  requireWithinLimit,
} from '../account/daily-limit.ts'
import { hasDeviceCookie, knownBrowserKey } from '../account/device-cookie.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { ApiError } from '../api-error.ts'
import type { Call, PublicHandler } from '../handler.ts'
import { newTicket } from './sign-in-ticket.ts'
import { answerSignIn, isNewDevice, signInColumns, signInStatements } from './every-sign-in.ts'
import { factorColumns, hasFactor, isTwoStep } from '../account/has-factor.ts'
import { insertSession, newSession, requireUsable } from '../session/session.ts'
import { hashPassword, matchPassword, needsRehash } from '../crypto/hash-password.ts'

type Credentials = Call<typeof loginEndpoint>['body']

/**
 * Signs in with a password. An unknown address takes the same time as a wrong password and gets the same answer,
 * INVALID_CREDENTIALS. An account with a second step answers FACTOR_REQUIRED and a ticket instead of a session. When
 * the hash or the factors changed during the check, the check runs once more: after a reset the old password fails,
 * and after another sign-in renewed the hash it still works.
 */
export const login: PublicHandler<typeof loginEndpoint> = async (ctx, { body }) => {
  const accounts = (await trySignIn(ctx, body)) ?? (await trySignIn(ctx, body))
  if (accounts === null) throw new ApiError('INVALID_CREDENTIALS', AUTH.invalidCredentials)
  return answerSignIn(ctx, accounts)
}

/** The account with its new session, as rows; null when the hash or the factors changed meanwhile. */
async function trySignIn(ctx: Context, body: Credentials): Promise<Account[] | null> {
  const { rememberMe: isRemembered } = body
  const user = await requireMatch(ctx, body)
  const isUnchanged = and(eq(users.id, user.id), eq(users.passwordHash, user.passwordHash))
  const counted = countOneLess(ctx, user.attemptCounter)
  if (isTwoStep(user)) {
    const source = sql`FROM ${users} WHERE ${isUnchanged}`
    const ticket = await newTicket(ctx, { user, isRemembered, source })
    const { stored } = await ctx.db.batch({ stored: ticket.stored, counted })
    if (stored.rowsAffected === 0) return null
    throw ticket.rejection
  }
  const session = newSession(ctx, { userId: user.id, kind: 'browser', isRemembered })
  const signIn = { user, isNewDevice: await isNewDevice(ctx, user) }
  const passwordHash = await upToDateHash(ctx, user)
  const { accounts } = await ctx.db.batch({
    session: insertSession(ctx, session, and(isUnchanged, sql`NOT ${hasFactor()}`)),
    hash: ctx.db.update(users).set({ passwordHash }).where(isUnchanged),
    counted,
    ...(await signInStatements(ctx, session, signIn)),
  })
  if (accounts.length === 0) return null
  if (signIn.isNewDevice) ctx.waitUntil(() => deliverDueMail(ctx))
  return accounts
}

/** An address without an account gets this message too, so that nobody learns which addresses have one. */
const TOO_MANY =
  'Too many wrong passwords were entered for this account today. Sign in on a device you have used before, with Google or with a passkey, or reset your password by email.'

/**
 * The user whose password matches. INVALID_CREDENTIALS otherwise, RATE_LIMITED after many wrong passwords of a day: from
 * browsers that the account knows, or from all others. A browser that knew an earlier password is one of the others.
 */
async function requireMatch(ctx: Context, body: Credentials): Promise<Match & CountedAttempt> {
  const emailKey = emailKeyOf(body.email)
  let knownBrowser = await knownBrowserKey(ctx, emailKey)
  let attemptCounter = await dailyCounter(ctx, 'password', knownBrowser ?? emailKey)
  const { candidates, ...counted } = await ctx.db.batch({
    attempts: countOne(ctx, attemptCounter),
    candidates: findByEmail(ctx, body.email),
  })
  let { attempts } = counted
  if (knownBrowser !== null && !(await isKnownToOneOf(ctx, candidates))) {
    knownBrowser = null
    attemptCounter = await dailyCounter(ctx, 'password', emailKey)
    ;({ attempts } = await ctx.db.batch({ attempts: countOne(ctx, attemptCounter) }))
  }
  alertOfDuplicates(ctx, candidates)
  requireWithinLimit(ctx, attemptCounter, attempts, TOO_MANY)
  const check = () => findMatch(ctx, candidates, body.password)
  try {
    const known = knownBrowser ?? undefined
    const match = await ctx.queues.hashes.run(ctx.visitor.ipPrefix, check, known)
    if (match !== null) {
      requireUsable(match, 'INVALID_CREDENTIALS')
      return { ...match, attemptCounter }
    }
  } catch (error) {
    // The password was right, or nobody looked at it because the queue is full. No batch follows that would take the count back.
    ctx.waitUntil(async () => {
      await ctx.db.batch([countOneLess(ctx, attemptCounter)])
    })
    throw error
  }
  // A known address does not answer later than an unknown one.
  for (const { id } of candidates) recordAfterAnswer(ctx, { userId: id, kind: 'sign_in_failed' })
  throw new ApiError('INVALID_CREDENTIALS', AUTH.invalidCredentials)
}

type Candidate = Awaited<ReturnType<typeof findByEmail>>[number]

async function isKnownToOneOf(ctx: Context, candidates: readonly Candidate[]): Promise<boolean> {
  for (const candidate of candidates) if (await hasDeviceCookie(ctx, candidate)) return true
  return false
}

interface Match extends Candidate {
  /** The typed password, in the Unicode form that matched. */
  password: string
}

interface CountedAttempt {
  /** The counter that counted this attempt as a wrong one before it was checked. */
  attemptCounter: DailyCounter
}

function findByEmail(ctx: Context, email: string) {
  return ctx.db
    .select({ ...signInColumns(ctx), ...factorColumns() })
    .from(users)
    .where(isOfAddress(email))
    .orderBy(...byMailPriority)
}

/** The first of the accounts of an address whose password matches. Without an account it takes as long as with one. */
async function findMatch(
  { hashCost }: Context,
  candidates: readonly Candidate[],
  typed: string,
): Promise<Match | null> {
  for (const user of candidates) {
    const password = await matchPassword(typed, user.passwordHash, hashCost)
    if (password !== null) return { ...user, password }
  }
  if (candidates.length === 0) await matchPassword(typed, null, hashCost)
  return null
}

/** The stored hash, or a new one when it is not of today's cost or Unicode form. */
async function upToDateHash(ctx: Context, { id, passwordHash, password }: Match): Promise<string> {
  if (!needsRehash(passwordHash, password, ctx.hashCost)) return passwordHash
  const hash = () => hashPassword(password, ctx.randomBytes, ctx.hashCost)
  return ctx.queues.hashes.run(ctx.visitor.ipPrefix, hash, id)
}
