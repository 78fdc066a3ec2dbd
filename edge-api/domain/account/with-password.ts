import { type SQL, sql } from 'drizzle-orm'
import { NO_PASSWORD } from '../../../src/contract/google.ts'
import { AUTH } from '../../../src/contract/messages.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../refusal.ts'
import { type Account, accountQuery, requireAccount } from './account-query.ts'
import type { Claims } from './bearer.ts'
import { countTry, dailyCount, requireWithinLimit } from './daily-count.ts'
import { type Factors, factorsQuery } from './has-factor.ts'
import { verifyPassword } from './password-hash.ts'
import { recordFailure } from './record-failure.ts'

interface Proof {
  claims: Claims
  typed: string
  /** The form field that a refusal names. */
  path: string
}

const TOO_MANY =
  'Your password was typed too often here today. Sign out and in again, or reset the password by mail.'

/**
 * Runs `act` for the account of a session whose user typed its password: WRONG_PASSWORD otherwise, and RATE_LIMITED after
 * many tries of one session on a day, so that nobody with a stolen session can guess for long. `act` makes its
 * change only while `isStillProven`, and answers whether it did. When it did not, everything is checked once more: after
 * a reset the session has ended, after another change the password is wrong, and after a sign-in that only renewed the
 * hash the change is made.
 */
export async function withPassword(
  ctx: Context,
  { claims, typed, path }: Proof,
  act: (account: Account, factors: Factors) => Promise<boolean>,
): Promise<void> {
  const count = await dailyCount(ctx, 'password', claims.sessionId)
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const { accounts, tried, factors } = await ctx.db.batch({
      accounts: accountQuery(ctx, claims),
      tried: countTry(ctx, count),
      factors: factorsQuery(ctx, claims.userId),
    })
    const account = requireAccount(accounts)
    const { id, passwordHash } = account.user
    if (passwordHash === '') throw wrongPassword(NO_PASSWORD, path)
    requireWithinLimit(ctx, tried, TOO_MANY)
    if (!(await ctx.hashGate.pass(() => verifyPassword(typed, passwordHash, ctx.hashCost)))) {
      recordFailure(ctx, id)
      throw wrongPassword(AUTH.wrongPassword, path)
    }
    if (await act(account, factors)) return
  }
  throw wrongPassword(AUTH.wrongPassword, path)
}

/** In SQL, whether the account still has the password hash that was checked, and its session is still open. */
export function isStillProven({ now }: Context, { user, session }: Account): SQL {
  return sql`EXISTS (
    SELECT 1 FROM ${users} u JOIN ${sessions} s ON s.user_id = u.id
    WHERE u.id = ${user.id} AND u.password_hash = ${user.passwordHash} AND u.deleted_at IS NULL
      AND s.id = ${session.id} AND s.ended_at IS NULL AND s.expires_at > ${now})`
}

function wrongPassword(msg: string, path: string): Refusal {
  return new Refusal('WRONG_PASSWORD', msg, { errors: [{ path, msg }] })
}
