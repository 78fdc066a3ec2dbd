import type { meEndpoint } from '../../../src/contract/account.ts'
import { readAccount, toUser } from '../session/account-query.ts'
import { recordLastUsed } from '../session/session.ts'
import type { SessionHandler } from '../handler.ts'
import { toIso } from '../time.ts'

/** The signed-in user. Every page asks for it first, so it also records when the session was last used. */
export const me: SessionHandler<typeof meEndpoint> = async (ctx, { claims }) => {
  const account = await readAccount(ctx, claims)
  const { kind } = account.session
  const { expiresAt } = recordLastUsed(ctx, account.session)
  const session = { kind, expiresAt: toIso(expiresAt) }
  return { success: true, user: toUser(account, ctx.now), session }
}
