import { and, eq, isNull, sql } from 'drizzle-orm'
import { TOAST } from '../../../src/contract/messages.ts'
import type { logoutEndpoint } from '../../../src/contract/session.ts'
import { previousChangedOne } from '../../db/previous-statement.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { recordEventFrom } from '../account/account-event.ts'
import { accountQuery, requireAccount } from '../account/account-query.ts'
import type { SessionVerb } from '../verb.ts'

/** Ends the session of the bearer token; its next call is refused. An event is recorded when this call ended it. */
export const logout: SessionVerb<typeof logoutEndpoint> = async (ctx, { claims }) => {
  const { accounts } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    ended: ctx.db
      .update(sessions)
      .set({ endedAt: ctx.now })
      .where(and(eq(sessions.id, claims.sessionId), isNull(sessions.endedAt))),
    event: recordEventFrom(
      ctx,
      { userId: claims.userId, kind: 'signed_out' },
      sql`WHERE ${previousChangedOne}`,
    ),
  })
  requireAccount(accounts)
  return { success: true, message: TOAST.loggedOut }
}
