import type { meEndpoint } from '../../../src/contract/account.ts'
import { touchSession } from '../session/touch-session.ts'
import type { SessionVerb } from '../verb.ts'
import { accountQuery, requireAccount } from './account-query.ts'
import { toUser } from './to-user.ts'

/** The signed-in user. Every page of the app asks this first, so it also notes that the session is used. */
export const me: SessionVerb<typeof meEndpoint> = async (ctx, { claims }) => {
  const { accounts } = await ctx.db.batch({ accounts: accountQuery(ctx, claims) })
  const account = requireAccount(accounts)
  touchSession(ctx, account.session)
  return { success: true, user: toUser(account, ctx.now) }
}
