import { type SQL, sql } from 'drizzle-orm'
import { NO_PASSWORD } from '../../../src/contract/google.ts'
import { AUTH } from '../../../src/contract/messages.ts'
import { users } from '../../db/schema/users.ts'
import type { Context, Claims } from '../context.ts'
import { ApiError } from '../api-error.ts'
import { recordAfterAnswer } from '../account/record-event.ts'
import { type Account, accountQuery, requireSignedIn } from '../session/account-query.ts'
import {
  countOne,
  dailyCounter,
  isWithinLimit,
  requireWithinLimit,
} from '../account/daily-limit.ts'
import { type Factors, factorsQuery } from '../account/has-factor.ts'
import { matchPassword } from '../crypto/hash-password.ts'
import { isOpenSession } from '../session/session.ts'

interface Proof {
  claims: Claims
  typed: string
  /** The form field that a rejection names. */
  path: string
}

const TOO_MANY =
  'Your password was entered too many times today. Try again tomorrow, or reset it by email.'

/**
 * Runs `change` for the account of a session whose user typed its password. WRONG_PASSWORD otherwise. RATE_LIMITED after many
 * attempts in a day by one session or by all sessions, so that nobody with a stolen session can guess for long. `change` makes its
 * change only while `isStillVerified`, and answers whether it did. If it did not, everything is checked once more: after a
 * reset the session has ended, after another change the password is wrong, and after a sign-in that only renewed the hash the
 * change is made.
 */
export async function withPassword(
  ctx: Context,
  { claims, typed, path }: Proof,
  change: (account: Account, factors: Factors) => Promise<boolean>,
): Promise<void> {
  const own = await dailyCounter(ctx, 'password', claims.sessionId)
  const all = await dailyCounter(ctx, 'accountPassword', claims.userId)
  // A session that has ended, or has used up its own attempts, does not count against the account's.
  const isOpen = isOpenSession({ ...claims, now: ctx.now })
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const { accounts, ownAttempts, accountAttempts, factors } = await ctx.db.batch({
      accounts: accountQuery(ctx, claims),
      ownAttempts: countOne(ctx, own, sql`WHERE ${isOpen}`),
      accountAttempts: countOne(ctx, all, sql`WHERE ${isOpen} AND ${isWithinLimit(own)}`),
      factors: factorsQuery(ctx, claims.userId),
    })
    const account = requireSignedIn(accounts)
    const { id, passwordHash } = account.user
    if (passwordHash === '') throw wrongPassword(NO_PASSWORD, path)
    requireWithinLimit(ctx, own, ownAttempts, TOO_MANY)
    requireWithinLimit(ctx, all, accountAttempts, TOO_MANY)
    const check = () => matchPassword(typed, passwordHash, ctx.hashCost)
    if ((await ctx.queues.hashes.run(ctx.visitor.ipPrefix, check, id)) === null) {
      recordAfterAnswer(ctx, { userId: id, kind: 'sign_in_failed' })
      throw wrongPassword(AUTH.wrongPassword, path)
    }
    if (await change(account, factors)) return
  }
  throw wrongPassword(AUTH.wrongPassword, path)
}

/** In SQL, whether the account still has the password hash that was checked, and its session is still open. */
export function isStillVerified({ now }: Context, { user, session }: Account): SQL {
  return sql`(${isOpenSession({ userId: user.id, sessionId: session.id, now })} AND EXISTS (
    SELECT 1 FROM ${users} u WHERE u.id = ${user.id} AND u.password_hash = ${user.passwordHash}))`
}

/** WRONG_PASSWORD, shown at the form's field `path`. */
export function wrongPassword(msg: string, path: string): ApiError {
  return new ApiError('WRONG_PASSWORD', msg, { errors: [{ path, msg }] })
}
