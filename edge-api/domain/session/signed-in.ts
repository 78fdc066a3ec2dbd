import type { User } from '../../../src/contract/account.ts'
import { type Account, requireAccount } from '../account/account-query.ts'
import { toUser } from '../account/to-user.ts'
import type { Context } from '../context.ts'
import { toIso } from '../time.ts'
import { signBearer } from './bearer.ts'

/** The answer of everything that signs somebody in: bearer token, its end, and the user. */
export async function signedIn(
  ctx: Context,
  rows: readonly Account[],
): Promise<{ success: true; token: string; expiresAt: string; user: User }> {
  const account = requireAccount(rows)
  const { id, userId, expiresAt } = account.session
  const claims = { userId, sessionId: id }
  const token = await signBearer(ctx.keys, claims, { now: ctx.now, expiresAt })
  return { success: true, token, expiresAt: toIso(expiresAt), user: toUser(account, ctx.now) }
}
