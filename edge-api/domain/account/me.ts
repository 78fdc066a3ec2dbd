import type { meEndpoint } from '../../../src/contract/account.ts'
import type { SessionVerb } from '../verb.ts'
import { accountQuery, requireAccount } from './account-query.ts'
import { toIso } from '../time.ts'
import { toUser } from './to-user.ts'
import { touchSession } from './session.ts'

/** The signed-in user. Every page asks for it first, so it also records when the session was last used. */
export const me: SessionVerb<typeof meEndpoint> = async (ctx, { claims }) => {
  const { accounts } = await ctx.db.batch({ accounts: accountQuery(ctx, claims) })
  const account = requireAccount(accounts)
  const { kind } = account.session
  const expiresAt = toIso(touchSession(ctx, account.session))
  return { success: true, user: toUser(account, ctx.now), session: { kind, expiresAt } }
}
