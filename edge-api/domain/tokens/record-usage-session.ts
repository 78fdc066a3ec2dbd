import { and, eq, isNull, sql } from 'drizzle-orm'
import { SERVER } from '../../../src/contract/messages.ts'
import type { recordUsageSessionEndpoint } from '../../../src/contract/report-usage.ts'
import { insertFrom } from '../../db/insert-from.ts'
import { ledger, usageSessions } from '../../db/schema/tokens.ts'
import { requireSignedIn, sessionQuery } from '../session/account-query.ts'
import { isOpenSession, recordLastUsed } from '../session/session.ts'
import type { Context, Claims } from '../context.ts'
import { requireRow } from '../api-error.ts'
import { toIso, toIsoOrNull } from '../time.ts'
import type { Call, SessionHandler } from '../handler.ts'

type UsageEvent = Call<typeof recordUsageSessionEndpoint>['body']

/**
 * Starts or ends a usage session: one conversation in which the assistant helps. The first start and the first end count;
 * repeating them changes nothing and returns what is stored. NOT_FOUND for the end of one that never started.
 */
export const recordUsageSession: SessionHandler<typeof recordUsageSessionEndpoint> = async (
  ctx,
  { claims, body },
) => {
  const { sessions, rows } = await ctx.db.batch({
    sessions: sessionQuery(ctx, claims),
    changed: startOrEnd(ctx, claims, body),
    rows: ctx.db
      .select({
        row: usageSessions,
        tokensUsed: sql<number>`(
          SELECT coalesce(-sum(tokens), 0) FROM ${ledger}
          WHERE user_id = ${claims.userId} AND usage_session_id = ${body.sessionId}
        )`,
      })
      .from(usageSessions)
      .where(isUsageSession(claims, body)),
  })
  recordLastUsed(ctx, requireSignedIn(sessions).session)
  const { row, tokensUsed } = requireRow(rows, 'NOT_FOUND', SERVER.notFound)
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

/** The statement changes nothing once the user is signed out: erased data stays erased. */
function startOrEnd({ db, now }: Context, claims: Claims, event: UsageEvent) {
  const isSessionOpen = isOpenSession({ ...claims, now })
  if (event.event === 'start') {
    const { sessionId, mode } = event
    const row = { userId: claims.userId, sessionId, mode, startedAt: now }
    const insert = insertFrom(usageSessions, row, sql`WHERE ${isSessionOpen}`)
    return db.run(sql`${insert} ON CONFLICT DO NOTHING`)
  }
  const { succeeded: hasSucceeded = null, secondsSaved } = event
  return db
    .update(usageSessions)
    .set({ endedAt: now, hasSucceeded, secondsSaved })
    .where(and(isUsageSession(claims, event), isNull(usageSessions.endedAt), isSessionOpen))
}

function isUsageSession({ userId }: Claims, { sessionId }: UsageEvent) {
  return and(eq(usageSessions.userId, userId), eq(usageSessions.sessionId, sessionId))
}
