import { sql } from 'drizzle-orm'
import type { CallSuccess } from '../../../src/contract/endpoint.ts'
import { TOAST } from '../../../src/contract/messages.ts'
import type { loginEndpoint } from '../../../src/contract/session.ts'
import { accountEvents } from '../../db/schema/records.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { recordEventFrom } from '../account/record-event.ts'
import { renewEmailKey } from '../account/find-by-address.ts'
import { type Account, accountQuery, requireSignedIn, toUser } from '../session/account-query.ts'
import { signBearer } from '../crypto/sign.ts'
import { hasDeviceCookie, rememberDevice } from '../account/device-cookie.ts'
import type { NewSession } from '../session/session.ts'
import { securityMail } from '../mailed-link/mailed-link.ts'
import type { Context } from '../context.ts'
import { toIso } from '../time.ts'

// What all sign-in methods share: what they read, the statements after `insertSession`, and the answer.

/**
 * The columns of a row of `users` that every sign-in reads. `isKnownPlace`: 1 when the account had a session on a device of
 * this name in this network, and nobody has said "This was not me" since. `users.id` is written out because drizzle drops the
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
      WHERE s.user_id = users.id AND s.device = ${device} AND s.ip_prefix = ${ipPrefix}
        AND s.created_at > (SELECT coalesce(max(e.created_at), 0) FROM ${accountEvents} e
          WHERE e.user_id = users.id AND e.kind = 'not_me'))`,
  }
}

/** Whether the account does not know this device: the browser has no device cookie, and no session had its name and network. */
export async function isNewDevice(
  ctx: Context,
  user: { emailKey: string; passwordHash: string; isKnownPlace: number },
): Promise<boolean> {
  return user.isKnownPlace === 0 && !(await hasDeviceCookie(ctx, user))
}

interface SignIn {
  user: Pick<typeof users.$inferSelect, 'id' | 'email' | 'emailKey'>
  isNewDevice: boolean
}

/**
 * The statements after `insertSession`: if the batch has opened the session, they record the sign-in, read the account for
 * `answerSignIn`, and mail about a new device.
 */
export async function signInStatements(
  ctx: Context,
  session: NewSession,
  { user, isNewDevice }: SignIn,
) {
  const { id, userId, device } = session
  return {
    emailKey: renewEmailKey(ctx, user),
    event: recordSignIn(ctx, session, isNewDevice ? 'signed_in_new_device' : 'signed_in'),
    accounts: accountQuery(ctx, { userId, sessionId: id }),
    mail: isNewDevice
      ? await securityMail(ctx, {
          kind: 'new_device',
          payload: (secret) => ({ device, secret }),
          user,
          source: fromSession(id),
        })
      : null,
  }
}

/** The statement that writes a sign-in into the history, if the batch has opened the session. */
export function recordSignIn(
  ctx: Context,
  { id, userId, device }: NewSession,
  kind: 'signed_in' | 'signed_in_new_device',
) {
  return recordEventFrom(ctx, { userId, kind, device }, fromSession(id))
}

const fromSession = (id: string) => sql`FROM ${sessions} WHERE ${sessions.id} = ${id}`

/** The answer to every sign-in: bearer token, its expiry, and the user. From now on the account knows the browser. */
export async function answerSignIn(
  ctx: Context,
  rows: readonly Account[],
  message: string = TOAST.loggedIn,
): Promise<CallSuccess<typeof loginEndpoint>> {
  const account = requireSignedIn(rows)
  const { id, userId, expiresAt } = account.session
  await rememberDevice(ctx, account.user)
  const claims = { userId, sessionId: id }
  const token = await signBearer(ctx.keys, claims, { now: ctx.now, expiresAt })
  const user = toUser(account, ctx.now)
  return { success: true, message, token, expiresAt: toIso(expiresAt), user }
}
