import { eq, sql } from 'drizzle-orm'
import { DESK, DESK_CONFIRMED_MINUTES } from '../../../src/contract/desk.ts'
import { SERVER } from '../../../src/contract/messages.ts'
import { deskActs } from '../../db/schema/desk.ts'
import { passkeys, recoveryCodes, totps } from '../../db/schema/factors.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../refusal.ts'
import { minutes } from '../time.ts'
import { accountKey } from './address.ts'
import { accountQuery, isConfirmed } from './account-query.ts'
import type { Claims } from './signed.ts'
import { factorColumns, isTwoStep } from './has-factor.ts'

/** The act that admits an operator's second steps to the desk. No call of the desk does it. */
export const ADMITTED = 'admit_operator'

/** Who works at the desk. */
export type Operator = Pick<typeof users.$inferSelect, 'id' | 'username'>

/**
 * The operator who calls. To everybody else the desk does not exist: NOT_FOUND, like an unknown path. An operator
 * without an admitted second step gets FACTOR_REQUIRED; one whose last confirmation is older than 15 minutes gets
 * STEP_UP_REQUIRED (docs/decisions/0105-the-desk-is-an-unknown-path.md).
 */
export async function requireOperator(ctx: Context, claims: Claims): Promise<Operator> {
  const { accounts, factors } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    factors: operatorFactors(ctx, claims.userId),
  })
  const [account] = accounts
  if (account === undefined || account.user.emailVerifiedAt === null)
    throw new Refusal('NOT_FOUND', SERVER.notFound)
  if (!isOperatorKey(ctx, account.user.emailKey)) throw new Refusal('NOT_FOUND', SERVER.notFound)
  if (!factors.some(isTwoStep)) throw new Refusal('FACTOR_REQUIRED', DESK.needsFactor)
  if (!factors.some(({ isAdmitted }) => isAdmitted === 1)) {
    throw new Refusal('FACTOR_REQUIRED', DESK.notAdmitted)
  }
  if (!isConfirmed(account, ctx.now - minutes(DESK_CONFIRMED_MINUTES))) {
    throw new Refusal('STEP_UP_REQUIRED', DESK.confirm)
  }
  return account.user
}

/**
 * Which factors an account has, and whether somebody has admitted it to the desk (`npm run ops -- admit-operator`)
 * since the newest of them or of its recovery codes. A thief of the password or of a session can add a second step, but
 * cannot admit it.
 */
export function operatorFactors({ db }: Context, userId: string) {
  const made = [totps, passkeys, recoveryCodes].map(
    (steps) => sql`SELECT m.created_at FROM ${steps} m WHERE m.user_id = ${userId}`,
  )
  const isAdmitted = sql<number>`EXISTS (
    SELECT 1 FROM ${deskActs} a WHERE a.user_id = ${userId} AND a.kind = ${ADMITTED}
      AND a.created_at >= (SELECT max(created_at) FROM (${sql.join(made, sql` UNION ALL `)})))`
  return db
    .select({ ...factorColumns(), isAdmitted })
    .from(users)
    .where(eq(users.id, userId))
}

/** Whether the configuration names this address as an operator's. */
export function isOperatorKey({ operators }: Context, emailKey: string): boolean {
  return operators.map(accountKey).includes(emailKey)
}
