import { and, desc, eq } from 'drizzle-orm'
import type { sessionsEndpoint } from '../../../src/contract/session.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { accountQuery, requireSignedIn } from './account-query.ts'
import { toIso } from '../time.ts'
import type { SessionHandler } from '../handler.ts'
import { isOpen } from './session.ts'

const LISTED = 200

/** The caller's open sessions, the last used first. */
export const listSessions: SessionHandler<typeof sessionsEndpoint> = async (ctx, { claims }) => {
  const { accounts, rows } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    rows: ctx.db
      .select()
      .from(sessions)
      .where(and(eq(sessions.userId, claims.userId), isOpen(ctx.now)))
      .orderBy(desc(sessions.lastUsedAt))
      .limit(LISTED),
  })
  requireSignedIn(accounts)
  return {
    success: true,
    sessions: rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      device: row.device,
      createdAt: toIso(row.createdAt),
      lastUsedAt: toIso(row.lastUsedAt),
      expiresAt: toIso(row.expiresAt),
      isCurrent: row.id === claims.sessionId,
    })),
  }
}
