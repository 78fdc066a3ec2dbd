import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { SERVER } from '../../../src/contract/messages.ts'
import type { recordUsageSessionEndpoint } from '../../../src/contract/report-usage.ts'
import { insertFrom } from '../../db/insert-from.ts'
import { ledger, usageSessions } from '../../db/schema/tokens.ts'
import { accountQuery, requireAccount } from '../session/account-query.ts'
import { isOpenSession, touchSession } from '../session/session.ts'
import type { Context, Claims } from '../context.ts'
import { ApiError } from '../api-error.ts'
import { toIso, toIsoOrNull } from '../time.ts'
import type { Call, SessionHandler } from '../handler.ts'

/**
 * Starts or ends a session of the assistant. The first start and the first end count; repeating them changes nothing and
 * returns what is stored. NOT_FOUND for the end of a session that never started.
 */
export const recordUsageSession: SessionHandler<typeof recordUsageSessionEndpoint> = async (
  ctx,
  { claims, body },
) => {
  const { accounts } = await ctx.db.batch({ accounts: accountQuery(ctx, claims) })
  touchSession(ctx, requireAccount(accounts).session)
  const isSession = and(
    eq(usageSessions.userId, claims.userId),
    eq(usageSessions.sessionId, body.sessionId),
  )
  const { rows } = await ctx.db.batch({
    changed: change(ctx, { claims, body, isSession }),
    rows: ctx.db
      .select({
        row: usageSessions,
        tokensUsed: sql<number>`(
          SELECT coalesce(-sum(tokens), 0) FROM ${ledger}
          WHERE user_id = ${claims.userId} AND usage_session_id = ${body.sessionId}
        )`,
      })
      .from(usageSessions)
      .where(isSession),
  })
  const [found] = rows
  if (found === undefined) throw new ApiError('NOT_FOUND', SERVER.notFound)
  const { row, tokensUsed } = found
  return {
    success: true,
    session: {
      sessionId: row.sessionId,
      mode: row.mode,
      startedAt: toIso(row.startedAt),
      endedAt: toIsoOrNull(row.endedAt),
      succeeded: row.hasSucceeded,
      secondsSaved: row.secondsSaved,
      tokensUsed,
    },
  }
}

interface Change {
  claims: Claims
  body: Call<typeof recordUsageSessionEndpoint>['body']
  isSession: SQL | undefined
}

/** A session that ended meanwhile starts nothing: erased data stays erased. */
function change({ db, now }: Context, { claims, body, isSession }: Change) {
  if (body.event === 'start') {
    const { sessionId, mode } = body
    const row = { userId: claims.userId, sessionId, mode, startedAt: now }
    const isOpen = sql`WHERE ${isOpenSession({ ...claims, now })}`
    return db.run(sql`${insertFrom(usageSessions, row, isOpen)} ON CONFLICT DO NOTHING`)
  }
  return db
    .update(usageSessions)
    .set({ endedAt: now, hasSucceeded: body.succeeded ?? null, secondsSaved: body.secondsSaved })
    .where(and(isSession, isNull(usageSessions.endedAt)))
}
