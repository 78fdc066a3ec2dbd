import { eq } from 'drizzle-orm'
import type { meEndpoint } from '../../../src/contract/account.ts'
import { sessions } from '../../db/schema/sessions.ts'
import type { Context } from '../context.ts'
import { minutes } from '../time.ts'
import type { SessionVerb } from '../verb.ts'
import { accountQuery, requireAccount } from './account-query.ts'
import { toUser } from './to-user.ts'

/** The signed-in user. Every page asks for it first, so it also records when the session was last used. */
export const me: SessionVerb<typeof meEndpoint> = async (ctx, { claims }) => {
  const { accounts } = await ctx.db.batch({ accounts: accountQuery(ctx, claims) })
  const account = requireAccount(accounts)
  touchSession(ctx, account.session)
  return { success: true, user: toUser(account, ctx.now) }
}

/** The precision of "last used". Writing on every read would double its cost. */
const GRAIN_MS = minutes(5)

/** Records after the answer that the session was used. */
function touchSession(ctx: Context, session: { id: string; lastUsedAt: number }): void {
  if (ctx.now - session.lastUsedAt < GRAIN_MS) return
  ctx.waitUntil(async () => {
    await ctx.db.batch([
      ctx.db.update(sessions).set({ lastUsedAt: ctx.now }).where(eq(sessions.id, session.id)),
    ])
  })
}
