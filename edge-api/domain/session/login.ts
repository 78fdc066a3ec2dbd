import { and, eq, isNull, sql } from 'drizzle-orm'
import { AUTH, TOAST } from '../../../src/contract/messages.ts'
import type { loginEndpoint } from '../../../src/contract/session.ts'
import { users } from '../../db/schema/users.ts'
import { accountKey } from '../account/account-key.ts'
import type { Account } from '../account/account-query.ts'
import { recordFailure } from '../account/record-failure.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { Refusal } from '../refusal.ts'
import type { Call, PublicVerb } from '../verb.ts'
import { newTicket, storeTicket } from '../factors/sign-in-ticket.ts'
import { isKnownDevice, signInStatements } from './record-sign-in.ts'
import { factorColumns, isTwoStep } from '../account/has-factor.ts'
import { insertSession, newSession, signedIn } from '../account/open-session.ts'
import { hashPassword, needsRehash, verifyPassword } from '../account/password-hash.ts'

type Credentials = Call<typeof loginEndpoint>['body']

/**
 * Signs in with a password. An unknown address takes the same time as a wrong password and gets the same answer,
 * INVALID_CREDENTIALS. An account with a second step answers FACTOR_REQUIRED and a ticket instead of a session. When
 * the hash or the factors changed during the check, the check runs once more: after a reset the old password fails,
 * and after another sign-in renewed the hash it still works.
 */
export const login: PublicVerb<typeof loginEndpoint> = async (ctx, { body }) => {
  const accounts = (await trySignIn(ctx, body)) ?? (await trySignIn(ctx, body))
  if (accounts === null) throw new Refusal('INVALID_CREDENTIALS', AUTH.invalidCredentials)
  return { ...(await signedIn(ctx, accounts)), message: TOAST.loggedIn }
}

/** The account with its new session; null when the hash or the factors changed meanwhile. */
async function trySignIn(ctx: Context, body: Credentials): Promise<Account[] | null> {
  const user = await requireFit(ctx, body)
  if (isTwoStep(user)) await askForSecondStep(ctx, user, body)
  const session = newSession(ctx, {
    userId: user.id,
    kind: 'browser',
    isRemembered: body.rememberMe,
  })
  const isNewDevice = user.isKnownDevice === 0
  const passwordHash = await currentHash(ctx, user, body.password)
  const { accounts } = await ctx.db.batch({
    ...(await signInStatements(ctx, {
      opening: insertSession(ctx, session, user.passwordHash),
      session,
      user,
      isNewDevice,
    })),
    rehashed: keepHash(ctx, user, passwordHash),
  })
  if (accounts.length === 0) return null
  if (isNewDevice) ctx.waitUntil(() => deliverDueMail(ctx))
  return accounts
}

/** The user whose password matches. INVALID_CREDENTIALS otherwise. */
async function requireFit(ctx: Context, { email, password }: Credentials) {
  const { candidates } = await ctx.db.batch({ candidates: findByEmail(ctx, email) })
  const user = candidates[0] ?? null
  const fits = await ctx.hashGate.pass(() => verifyPassword(password, user?.passwordHash ?? null))
  if (user !== null && fits) return user
  if (user !== null) recordFailure(ctx, user.id)
  throw new Refusal('INVALID_CREDENTIALS', AUTH.invalidCredentials)
}

function findByEmail(ctx: Context, email: string) {
  return ctx.db
    .select({
      id: users.id,
      email: users.email,
      passwordHash: users.passwordHash,
      isKnownDevice: isKnownDevice(ctx.visitor.device),
      ...factorColumns(),
    })
    .from(users)
    .where(and(eq(users.emailKey, accountKey(email)), isNull(users.deletedAt)))
}

/** Throws FACTOR_REQUIRED with a ticket, unless the password was changed meanwhile. */
async function askForSecondStep(ctx: Context, user: Candidate, body: Credentials): Promise<void> {
  const ticket = await newTicket(ctx, {
    ...user,
    userId: user.id,
    isRemembered: body.rememberMe,
  })
  const isUnchanged = sql`FROM ${users} WHERE ${users.id} = ${user.id} AND ${users.passwordHash} = ${user.passwordHash}`
  const { stored } = await ctx.db.batch({ stored: storeTicket(ctx, ticket, isUnchanged) })
  if (stored.rowsAffected === 1) throw ticket.refusal
}

type Candidate = Awaited<ReturnType<typeof findByEmail>>[number]

interface Hashed {
  id: string
  passwordHash: string
}

/** The stored hash, or a new one when the cost settings have changed. */
async function currentHash(ctx: Context, user: Hashed, password: string): Promise<string> {
  if (!needsRehash(user.passwordHash)) return user.passwordHash
  return ctx.hashGate.pass(() => hashPassword(password, ctx.randomBytes))
}

/** Stores the hash, unless the password was changed meanwhile. */
function keepHash({ db }: Context, user: Hashed, passwordHash: string) {
  return db
    .update(users)
    .set({ passwordHash })
    .where(and(eq(users.id, user.id), eq(users.passwordHash, user.passwordHash)))
}
