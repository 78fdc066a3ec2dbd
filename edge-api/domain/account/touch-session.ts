import { eq } from 'drizzle-orm'
import { sessions } from '../../db/schema/sessions.ts'
import type { Context } from '../context.ts'
import { minutes } from '../time.ts'
import { sessionEnd } from './session-lifetime.ts'

/** The precision of "last used". Writing on every read would double its cost. */
const GRAIN_MS = minutes(5)

/**
 * Records after the answer that the session was used, which moves the end of a desktop app's session. Returns when the
 * session ends now, milliseconds UTC.
 */
export function touchSession(ctx: Context, session: typeof sessions.$inferSelect): number {
  if (ctx.now - session.lastUsedAt < GRAIN_MS) return session.expiresAt
  const expiresAt = sessionEnd(session, ctx.now)
  ctx.waitUntil(async () => {
    await ctx.db.batch([
      ctx.db
        .update(sessions)
        .set({ lastUsedAt: ctx.now, expiresAt })
        .where(eq(sessions.id, session.id)),
    ])
  })
  return expiresAt
}
