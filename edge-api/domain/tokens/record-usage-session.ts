import { and, eq, isNull, sql } from 'drizzle-orm'
import { SERVER } from '../../../src/contract/messages.ts'
import type {
  recordUsageSessionEndpoint,
  UsageSession,
} from '../../../src/contract/report-usage.ts'
import { insertFrom } from '../../db/insert-from.ts'
import { ledger, usageSessions } from '../../db/schema/tokens.ts'
import { accountQuery, requireAccount } from '../account/account-query.ts'
import { isOpenSession, touchSession } from '../account/session.ts'
import type { Claims } from '../account/signed.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../refusal.ts'
import { toIso, toIsoOrNull } from '../time.ts'
import type { Call, SessionHandler } from '../handler.ts'

type Body = Call<typeof recordUsageSessionEndpoint>['body']

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
    changed: change(ctx, claims, body),
    rows: ctx.db
      .select({ row: usageSessions, tokensUsed: tokensUsed(claims.userId, body.sessionId) })
      .from(usageSessions)
      .where(isSession),
  })
  const [found] = rows
  if (found === undefined) throw new Refusal('NOT_FOUND', SERVER.notFound)
  return { success: true, session: toSession(found) }
}

/** A session that ended meanwhile starts nothing: erased data stays erased. */
function change({ db, now }: Context, claims: Claims, body: Body) {
  const { userId } = claims
  const { sessionId } = body
  if (body.event === 'start') {
    const row = { userId, sessionId, mode: body.mode, startedAt: now }
    const isOpen = sql`WHERE ${isOpenSession({ ...claims, now })}`
    return db.run(sql`${insertFrom(usageSessions, row, isOpen)} ON CONFLICT DO NOTHING`)
  }
  return db
    .update(usageSessions)
    .set({ endedAt: now, hasSucceeded: body.succeeded ?? null, secondsSaved: body.secondsSaved })
    .where(
      and(
        eq(usageSessions.userId, userId),
        eq(usageSessions.sessionId, sessionId),
        isNull(usageSessions.endedAt),
      ),
    )
}

function tokensUsed(userId: string, sessionId: string) {
  return sql<number>`(
    SELECT coalesce(-sum(tokens), 0) FROM ${ledger}
    WHERE user_id = ${userId} AND usage_session_id = ${sessionId}
  )`
}

interface Found {
  row: typeof usageSessions.$inferSelect
  tokensUsed: number
}

function toSession({ row, tokensUsed: used }: Found): UsageSession {
  return {
    sessionId: row.sessionId,
    mode: row.mode,
    startedAt: toIso(row.startedAt),
    endedAt: toIsoOrNull(row.endedAt),
    succeeded: row.hasSucceeded,
    secondsSaved: row.secondsSaved,
    tokensUsed: used,
  }
}
