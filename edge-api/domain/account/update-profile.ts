import { eq, sql } from 'drizzle-orm'
import type {
  updatePreferencesEndpoint,
  updateProfileEndpoint,
} from '../../../src/contract/account.ts'
import type { updateBillingEndpoint } from '../../../src/contract/billing.ts'
import { AUTH } from '../../../src/contract/messages.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { hours } from '../time.ts'
import type { Claims } from './bearer.ts'
import type { SessionVerb } from '../verb.ts'
import { recordEvent } from './account-event.ts'
import { accountQuery, requireAccount } from './account-query.ts'
import { enqueueSecurityMail, newSecurityLink } from './security-mail.ts'
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

/** Changes theme, currency and optional mails, which is mailed. What is left out stays as it is. */
export const updatePreferences: SessionVerb<typeof updatePreferencesEndpoint> = async (
  ctx,
  call,
) => {
  const change = Object.fromEntries(
    Object.entries(call.body).filter(([, value]) => value !== undefined),
  )
  const user = await saveUser(ctx, call.claims, change)
  ctx.waitUntil(() => deliverDueMail(ctx))
  return { success: true, message: AUTH.preferencesSaved, user }
}

/** Stores for whom receipts are made out. Open purchases and issued receipts keep what they have. */
export const updateBilling: SessionVerb<typeof updateBillingEndpoint> = async (ctx, call) => {
  const billing = JSON.stringify(call.body)
  const user = await saveUser(ctx, call.claims, { billing }, 'profile_changed')
  return { success: true, message: AUTH.profileSaved, user }
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
    mail: await mailChange(ctx, user, change),
    event: kind === undefined ? null : recordEvent(ctx, { userId: user.id, kind }),
  })
  return toUser(requireAccount(after), ctx.now)
}

/**
 * The mail about optional mails that were switched on or off, so that nobody silences an account unnoticed. At most one of
 * each an hour, and none to an address that may be a stranger's.
 */
async function mailChange(
  ctx: Context,
  user: typeof users.$inferSelect,
  { mailReminders }: Change,
) {
  const isChanged = mailReminders !== undefined && mailReminders !== user.mailReminders
  if (!isChanged || user.emailVerifiedAt === null) return []
  const link = await newSecurityLink(ctx, user.email)
  const hour = Math.floor(ctx.now / hours(1))
  return enqueueSecurityMail(ctx, {
    id: `mails-changed:${user.id}:${hour}:${mailReminders}`,
    kind: 'mails_changed',
    payload: { areRemindersOn: mailReminders, secret: link.secret },
    to: user.email,
    userId: user.id,
    link,
    source: sql`WHERE 1 = 1`,
  })
}
