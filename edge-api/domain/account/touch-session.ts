import { eq } from 'drizzle-orm'
import { sessions } from '../../db/schema/sessions.ts'
import type { Context } from '../context.ts'
import { minutes } from '../time.ts'

/** The precision of "last used". Writing on every read would double its cost. */
const GRAIN_MS = minutes(5)

/** Records after the answer that the session was used. */
export function touchSession(ctx: Context, session: { id: string; lastUsedAt: number }): void {
  if (ctx.now - session.lastUsedAt < GRAIN_MS) return
  ctx.waitUntil(async () => {
    await ctx.db.batch([
      ctx.db.update(sessions).set({ lastUsedAt: ctx.now }).where(eq(sessions.id, session.id)),
    ])
  })
}
