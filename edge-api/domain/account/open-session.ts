import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { User } from '../../../src/contract/account.ts'
import { insertFrom } from '../../db/insert-from.ts'
import { deviceRequests, sessions, signInPasses } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { signBearer } from './bearer.ts'
import { markDevice } from './device-mark.ts'
import { hasFactor } from './has-factor.ts'
import { toIso } from '../time.ts'
import { type Account, requireAccount } from './account-query.ts'
import { sessionEnd } from './session-lifetime.ts'
import { toUser } from './to-user.ts'

interface SessionOptions {
  userId: string
  kind: 'browser' | 'desktop'
  isRemembered: boolean
  device?: string
}

/** The row of a new session, to insert in the batch that signs somebody in. */
export function newSession(ctx: Context, options: SessionOptions) {
  const { kind, isRemembered } = options
  return {
    id: ctx.newId('ses'),
    userId: options.userId,
    kind,
    device: options.device ?? ctx.visitor.device,
    ipPrefix: ctx.visitor.ipPrefix,
    isRemembered,
    createdAt: ctx.now,
    lastUsedAt: ctx.now,
    expiresAt: sessionEnd({ kind, isRemembered, createdAt: ctx.now }, ctx.now),
    // Somebody just signed in at a browser. An app was approved elsewhere.
    confirmedAt: kind === 'browser' ? ctx.now : null,
  }
}

export type NewSession = ReturnType<typeof newSession>

/**
 * Inserts the session, provided its account exists, is neither deleted nor suspended and has no second step. After a sign-in by password
 * the password hash must be unchanged too, so that a reset at the same moment prevents the session.
 */
export function insertSession(ctx: Context, row: NewSession, passwordHash?: string) {
  const isUnchanged =
    passwordHash === undefined ? sql`1 = 1` : sql`${users.passwordHash} = ${passwordHash}`
  return insertWhere(ctx, row, sql`NOT ${hasFactor()} AND ${isUnchanged}`)
}

/**
 * Inserts the session if the previous statement of the batch redeemed a code: of two calls that redeem one code at
 * once, the second opens no session.
 */
export function insertRedeemedSession(ctx: Context, row: NewSession) {
  return insertWhere(ctx, row, sql`changes() = 1`)
}

function insertWhere({ db }: Context, row: NewSession, condition: SQL) {
  const user = sql`FROM ${users} WHERE ${users.id} = ${row.userId} AND ${users.deletedAt} IS NULL
    AND ${users.suspendedAt} IS NULL AND ${condition}`
  return db.run(insertFrom(sessions, row, user))
}

/** The statements that void all device codes and passes from which a session of the account could still open. */
export function voidUnredeemed({ db }: Context, userId: string, condition?: SQL) {
  return [
    db.delete(deviceRequests).where(and(eq(deviceRequests.userId, userId), condition)),
    db.delete(signInPasses).where(and(eq(signInPasses.userId, userId), condition)),
  ] as const
}

/** The answer to every sign-in: bearer token, its expiry, and the user. The browser is known to the account from now on. */
export async function signedIn(
  ctx: Context,
  rows: readonly Account[],
): Promise<{ success: true; token: string; expiresAt: string; user: User }> {
  const account = requireAccount(rows)
  const { id, userId, expiresAt } = account.session
  await markDevice(ctx, account.user)
  const claims = { userId, sessionId: id }
  const token = await signBearer(ctx.keys, claims, { now: ctx.now, expiresAt })
  return { success: true, token, expiresAt: toIso(expiresAt), user: toUser(account, ctx.now) }
}
