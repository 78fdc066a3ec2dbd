import { eq, type SQL, sql } from 'drizzle-orm'
import { passkeys, totps } from '../../db/schema/factors.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'

/**
 * The account of a row of `users`, in a subquery. Written out because drizzle drops the table's name in a select from a
 * single table.
 */
const OWN = sql`users.id`

/** Which factors an account has, as columns of a select: 1 or 0. `userId` defaults to the id in the row. */
export function factorColumns(userId: SQL | string = OWN) {
  return {
    hasTotp: sql<number>`EXISTS (SELECT 1 FROM ${totps} t WHERE t.user_id = ${userId})`,
    hasPasskey: sql<number>`EXISTS (SELECT 1 FROM ${passkeys} k WHERE k.user_id = ${userId})`,
  }
}

/**
 * The statement that answers which factors an account has. Not part of `accountQuery`, because few of the calls that need
 * the account ask.
 */
export function factorsQuery({ db }: Context, userId: string) {
  return db.select(factorColumns()).from(users).where(eq(users.id, userId))
}

export type Factors = Awaited<ReturnType<typeof factorsQuery>>

/** Whether signing in to an account with these columns takes a second step. */
export function isTwoStep({ hasTotp, hasPasskey }: Factors[number]): boolean {
  return hasTotp === 1 || hasPasskey === 1
}

/** As `hasFactor`, for factors that were added before an instant in milliseconds UTC. */
export function hadFactor(before: number, userId: SQL | string = OWN): SQL<number> {
  return sql<number>`(
    EXISTS (SELECT 1 FROM ${passkeys} k WHERE k.user_id = ${userId} AND k.created_at < ${before})
    OR EXISTS (SELECT 1 FROM ${totps} t WHERE t.user_id = ${userId} AND t.created_at < ${before}))`
}

/** In SQL, 1 when the account has a passkey or an authenticator app: signing in to it takes a second step. */
export function hasFactor(userId: SQL | string = OWN): SQL<number> {
  const { hasTotp, hasPasskey } = factorColumns(userId)
  return sql<number>`(${hasTotp} OR ${hasPasskey})`
}
