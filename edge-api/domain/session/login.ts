import { and, eq, isNull } from 'drizzle-orm'
import { AUTH, TOAST } from '../../../src/contract/messages.ts'
import type { loginEndpoint } from '../../../src/contract/session.ts'
import { users } from '../../db/schema/users.ts'
import { accountKey } from '../account/account-key.ts'
import { type Account, accountQuery } from '../account/account-query.ts'
import { recordFailure } from '../account/record-failure.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { Refusal } from '../refusal.ts'
import type { Call, PublicVerb } from '../verb.ts'
import { isKnownDevice, mailNewDevice, recordSignIn } from './record-sign-in.ts'
import { insertSession, newSession, signedIn } from '../account/open-session.ts'
import { hashPassword, needsRehash, verifyPassword } from '../account/password-hash.ts'

type Credentials = Call<typeof loginEndpoint>['body']

/**
 * Signs in with a password. An unknown address takes the same time as a wrong password and gets the same answer,
 * INVALID_CREDENTIALS. When the hash changed during the check, the check runs once more: after a reset the old
 * password fails, and after another sign-in renewed the hash it still works.
 */
export const login: PublicVerb<typeof loginEndpoint> = async (ctx, { body }) => {
  const accounts = (await trySignIn(ctx, body)) ?? (await trySignIn(ctx, body))
  if (accounts === null) throw new Refusal('INVALID_CREDENTIALS', AUTH.invalidCredentials)
  return { ...(await signedIn(ctx, accounts)), message: TOAST.loggedIn }
}

/** The account with its new session; null when the hash changed meanwhile. */
async function trySignIn(ctx: Context, body: Credentials): Promise<Account[] | null> {
  const user = await requireFit(ctx, body)
  const session = newSession(ctx, {
    userId: user.id,
    kind: 'browser',
    isRemembered: body.rememberMe,
  })
  const isNewDevice = user.isKnownDevice === 0
  const passwordHash = await currentHash(ctx, user, body.password)
  const { accounts } = await ctx.db.batch({
    session: insertSession(ctx, session, user.passwordHash),
    event: recordSignIn(ctx, session, isNewDevice ? 'signed_in_new_device' : 'signed_in'),
    rehashed: keepHash(ctx, user, passwordHash),
    accounts: accountQuery(ctx, { userId: user.id, sessionId: session.id }),
    mail: isNewDevice && user.mailSecurity ? mailNewDevice(ctx, user, session) : null,
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
      mailSecurity: users.mailSecurity,
      isKnownDevice: isKnownDevice(ctx.visitor.device),
    })
    .from(users)
    .where(and(eq(users.emailKey, accountKey(email)), isNull(users.deletedAt)))
}

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
