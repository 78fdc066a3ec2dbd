import { and, eq, isNull, sql } from 'drizzle-orm'
import { TOAST } from '../../../src/contract/messages.ts'
import type { logoutEndpoint } from '../../../src/contract/session.ts'
import { accountEvents } from '../../db/schema/records.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { accountEventRow } from '../account/account-event.ts'
import { accountQuery, requireAccount } from '../account/account-query.ts'
import type { Context } from '../context.ts'
import type { SessionVerb } from '../verb.ts'

/** Ends the session of the bearer token that asks: it is refused from the very next call on. */
export const logout: SessionVerb<typeof logoutEndpoint> = async (ctx, { claims }) => {
  const { accounts } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    ended: ctx.db
      .update(sessions)
      .set({ endedAt: ctx.now })
      .where(and(eq(sessions.id, claims.sessionId), isNull(sessions.endedAt))),
    event: recordSignedOut(ctx, claims.userId),
  })
  requireAccount(accounts)
  return { success: true, message: TOAST.loggedOut }
}

/** Only where the statement before did end the session. */
function recordSignedOut(ctx: Context, userId: string) {
  const event = accountEventRow(ctx, { userId, kind: 'signed_out' })
  return ctx.db.run(sql`
    INSERT INTO ${accountEvents} (id, user_id, kind, detail, device, ip_prefix, created_at)
    SELECT ${event.id}, ${userId}, ${event.kind}, ${event.detail}, ${event.device}, ${event.ipPrefix}, ${ctx.now}
    WHERE changes() = 1`)
}
