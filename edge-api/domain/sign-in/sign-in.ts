import { sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { CallSuccess } from '../../../src/contract/endpoint.ts'
import { TOAST } from '../../../src/contract/messages.ts'
import type { loginEndpoint } from '../../../src/contract/session.ts'
import type { Statements } from '../../db/database.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { recordEventFrom } from '../account/record-event.ts'
import { renewEmailKey } from '../account/find-by-address.ts'
import { type Account, accountQuery, requireAccount, toUser } from '../session/account-query.ts'
import { signBearer } from '../crypto/sign.ts'
import { isKnownDevice, rememberDevice } from '../account/device-cookie.ts'
import {
  insertRedeemedSession,
  insertSession,
  newSession,
  type NewSession,
} from '../session/session.ts'
import { securityMail } from '../mailed-link/mailed-link.ts'
import type { Replacement } from '../factors/recovery-codes.ts'
import type { Context } from '../context.ts'
import { toIso } from '../time.ts'

// What all sign-in methods share: the statements that open a session, and the answer.

type AfterSession = readonly BatchItem<'sqlite'>[]

interface SignIn {
  user: Pick<typeof users.$inferSelect, 'id' | 'email' | 'emailKey'>
  isRemembered: boolean
  isNewDevice: boolean
  /** Recovery codes for an account that has none left. */
  newCodes?: Replacement | null
  /** Statements after the session's, whose changes the answer shows. */
  afterSession?: (session: NewSession) => AfterSession | Promise<AfterSession>
}

/** The statements of a sign-in by password: they open a session only while the account has this hash and no second step. */
export async function passwordSignIn(ctx: Context, signIn: SignIn, passwordHash: string) {
  const session = newBrowserSession(ctx, signIn)
  return {
    session: insertSession(ctx, session, passwordHash),
    ...(await restOfSignIn(ctx, session, signIn)),
  }
}

/**
 * The statements of a sign-in by something that works once, such as a code: `redeeming`, then those that open a session. It
 * opens only if the last of `redeeming` changed one row, so none may come between the two.
 */
export async function redeemingSignIn<Redeeming extends Statements>(
  ctx: Context,
  signIn: SignIn,
  redeeming: Redeeming,
) {
  const session = newBrowserSession(ctx, signIn)
  return {
    ...redeeming,
    session: insertRedeemedSession(ctx, session),
    ...(await restOfSignIn(ctx, session, signIn)),
  }
}

function newBrowserSession(ctx: Context, { user, isRemembered }: SignIn): NewSession {
  return newSession(ctx, { userId: user.id, kind: 'browser', isRemembered })
}

/** The statements that record the sign-in, and read the account if the session was opened. */
async function restOfSignIn(ctx: Context, session: NewSession, signIn: SignIn) {
  const { user, isNewDevice, afterSession, newCodes } = signIn
  return {
    afterSession: (await afterSession?.(session)) ?? [],
    emailKey: renewEmailKey(ctx, user),
    event: recordSignIn(ctx, session, isNewDevice ? 'signed_in_new_device' : 'signed_in'),
    accounts: accountQuery(ctx, { userId: session.userId, sessionId: session.id }),
    mail: isNewDevice ? await mailNewDevice(ctx, user.email, session) : null,
    newCodes: newCodes?.stored ?? null,
    newCodesEvent: newCodes?.event ?? null,
    newCodesMail: newCodes?.mail ?? null,
  }
}

/** The statement that writes a sign-in into the history, provided the batch has opened the session. */
export function recordSignIn(
  ctx: Context,
  { id, userId, device }: NewSession,
  kind: 'signed_in' | 'signed_in_new_device',
) {
  const session = sql`FROM ${sessions} WHERE ${sessions.id} = ${id}`
  return recordEventFrom(ctx, { userId, kind, device }, session)
}

/**
 * The columns of a row of `users` that every sign-in reads, and by which `isNewDevice` judges: whether the account signed in
 * on a device of this name from this network, and what the device cookie names. `users.id` is written out because drizzle drops the
 * table's name in a select from a single table.
 */
export function signInColumns({ visitor: { device, ipPrefix } }: Context) {
  return {
    id: users.id,
    email: users.email,
    emailKey: users.emailKey,
    passwordHash: users.passwordHash,
    suspendedAt: users.suspendedAt,
    lockedAt: users.lockedAt,
    isKnownPlace: sql<number>`EXISTS (SELECT 1 FROM ${sessions} s
      WHERE s.user_id = users.id AND s.device = ${device} AND s.ip_prefix = ${ipPrefix})`,
  }
}

/** Whether the account does not know this device: the browser has no device cookie, and its name and network are new. */
export async function isNewDevice(
  ctx: Context,
  user: { emailKey: string; passwordHash: string; isKnownPlace: number },
): Promise<boolean> {
  return user.isKnownPlace === 0 && !(await isKnownDevice(ctx, user))
}

/** The mail about a device that was not seen before, provided the batch has opened the session. */
function mailNewDevice(ctx: Context, email: string, { id, userId, device }: NewSession) {
  return securityMail(ctx, {
    kind: 'new_device',
    payload: (secret) => ({ device, secret }),
    user: { id: userId, email },
    source: sql`FROM ${sessions} WHERE ${sessions.id} = ${id}`,
  })
}

/** The answer to every sign-in: bearer token, its expiry, and the user. From now on the account knows the browser. */
export async function answerSignIn(
  ctx: Context,
  rows: readonly Account[],
  message: string = TOAST.loggedIn,
): Promise<CallSuccess<typeof loginEndpoint>> {
  const account = requireAccount(rows)
  const { id, userId, expiresAt } = account.session
  await rememberDevice(ctx, account.user)
  const claims = { userId, sessionId: id }
  const token = await signBearer(ctx.keys, claims, { now: ctx.now, expiresAt })
  const user = toUser(account, ctx.now)
  return { success: true, message, token, expiresAt: toIso(expiresAt), user }
}
