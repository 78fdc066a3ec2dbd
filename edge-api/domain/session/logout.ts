import { and, eq, isNull } from 'drizzle-orm'
import { TOAST } from '../../../src/contract/messages.ts'
import type { logoutEndpoint } from '../../../src/contract/session.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { accountQuery, requireAccount } from '../account/account-query.ts'
import type { SessionVerb } from '../verb.ts'

/** Ends the session of the bearer token that asks: it is refused from the very next call on. */
export const logout: SessionVerb<typeof logoutEndpoint> = async (ctx, { claims }) => {
  const [accounts] = await ctx.db.batch([
    accountQuery(ctx, claims),
    ctx.db
      .update(sessions)
      .set({ endedAt: ctx.now })
      .where(and(eq(sessions.id, claims.sessionId), isNull(sessions.endedAt))),
  ])
  requireAccount(accounts)
  return { success: true, message: TOAST.loggedOut }
}
