import { eq } from 'drizzle-orm'
import type {
  updatePreferencesEndpoint,
  updateProfileEndpoint,
} from '../../../src/contract/account.ts'
import { AUTH } from '../../../src/contract/messages.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import type { Claims } from './bearer.ts'
import type { SessionVerb } from '../verb.ts'
import { recordEvent } from './account-event.ts'
import { accountQuery, requireAccount } from './account-query.ts'
import { toUser } from './to-user.ts'

/** Changes the profile; an empty text is stored as null. Username and address never change. */
export const updateProfile: SessionVerb<typeof updateProfileEndpoint> = async (ctx, call) => {
  const change = Object.fromEntries(
    Object.entries(call.body).map(([field, text]) => [field, text === '' ? null : text]),
  )
  return {
    success: true,
    message: AUTH.profileSaved,
    user: await saveUser(ctx, call.claims, change, 'profile_changed'),
  }
}

/** Changes theme, currency and optional mails. What is left out stays as it is. */
export const updatePreferences: SessionVerb<typeof updatePreferencesEndpoint> = async (
  ctx,
  call,
) => {
  const change = Object.fromEntries(
    Object.entries(call.body).filter(([, value]) => value !== undefined),
  )
  const user = await saveUser(ctx, call.claims, change)
  return { success: true, message: AUTH.preferencesSaved, user }
}

type Change = Partial<typeof users.$inferInsert>

async function saveUser(ctx: Context, claims: Claims, change: Change, kind?: 'profile_changed') {
  const { accounts } = await ctx.db.batch({ accounts: accountQuery(ctx, claims) })
  const { user } = requireAccount(accounts)
  const { after } = await ctx.db.batch({
    updated: ctx.db
      .update(users)
      .set({ ...change, updatedAt: ctx.now })
      .where(eq(users.id, user.id)),
    after: accountQuery(ctx, claims),
    event: kind === undefined ? null : recordEvent(ctx, { userId: user.id, kind }),
  })
  return toUser(requireAccount(after), ctx.now)
}
