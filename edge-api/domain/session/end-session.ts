import { and, eq, isNull, sql } from 'drizzle-orm'
import { AUTH, SERVER } from '../../../src/contract/messages.ts'
import { SESSION } from '../../../src/contract/session-messages.ts'
import type {
  endOtherSessionsEndpoint,
  endSessionEndpoint,
  logoutEndpoint,
} from '../../../src/contract/session.ts'
import { previousChangedOne } from '../../db/insert-from.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { recordAfterAnswer, recordEventFrom } from '../account/record-event.ts'
import { accountQuery, readConfirmed, requireSignedIn } from './account-query.ts'
import { ApiError } from '../api-error.ts'
import type { SessionHandler } from '../handler.ts'
import { endAccess, isOpen, isOpenSession } from './session.ts'

/** Ends the session of the bearer token; its next call is rejected. An event is recorded when this call ended it. */
export const logout: SessionHandler<typeof logoutEndpoint> = async (ctx, { claims }) => {
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
  requireSignedIn(accounts)
  return { success: true, message: SESSION.loggedOut }
}

/** Ends one session of the caller. NOT_FOUND for any other id. */
export const endSession: SessionHandler<typeof endSessionEndpoint> = async (ctx, call) => {
  const { claims, params } = call
  await readConfirmed(ctx, claims)
  const { ended } = await ctx.db.batch({
    ended: ctx.db
      .update(sessions)
      .set({ endedAt: ctx.now })
      .where(
        and(
          eq(sessions.id, params.id),
          eq(sessions.userId, claims.userId),
          isOpen(ctx.now),
          isOpenSession({ ...claims, now: ctx.now }),
        ),
      )
      .returning({ id: sessions.id }),
  })
  if (ended.length === 0) throw new ApiError('NOT_FOUND', SERVER.notFound)
  recordAfterAnswer(ctx, { userId: claims.userId, kind: 'session_ended' })
  return { success: true, message: AUTH.sessionEnded }
}

/** Ends all access to the caller's account except the current session. */
export const endOtherSessions: SessionHandler<typeof endOtherSessionsEndpoint> = async (
  ctx,
  call,
) => {
  const { claims } = call
  await readConfirmed(ctx, claims)
  const { userId, sessionId } = claims
  const when = isOpenSession({ ...claims, now: ctx.now })
  const [ended] = await ctx.db.batch(endAccess(ctx, { userId, except: sessionId, when }))
  const { length: count } = ended.filter(({ expiresAt }) => expiresAt > ctx.now)
  if (count > 0) recordAfterAnswer(ctx, { userId, kind: 'session_ended' })
  return { success: true, message: AUTH.otherSessionsEnded, ended: count }
}
