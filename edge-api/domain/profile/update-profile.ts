import { and, eq, type SQL, sql } from 'drizzle-orm'
import type {
  acceptTermsEndpoint,
  updatePreferencesEndpoint,
  updateProfileEndpoint,
} from '../../../src/contract/account.ts'
import type { updateBillingEndpoint } from '../../../src/contract/billing.ts'
import { AUTH } from '../../../src/contract/messages.ts'
import { users } from '../../db/schema/users.ts'
import type { Context, Claims } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { hours } from '../time.ts'
import type { SessionHandler } from '../handler.ts'
import { type NewAccountEvent, recordEventFrom } from '../account/record-event.ts'
import { accountQuery, readAccount, requireSignedIn, toUser } from '../session/account-query.ts'
import { securityMail } from '../mailed-link/mailed-link.ts'
import { isOpenSession } from '../session/session.ts'
import { acceptedTerms, TERMS } from '../account/terms.ts'

/** Stores that the caller accepts the present terms. */
export const acceptTerms: SessionHandler<typeof acceptTermsEndpoint> = async (ctx, { claims }) => {
  const event = { kind: 'terms_accepted', detail: { version: TERMS.version } } as const
  return { success: true, user: await saveUser(ctx, claims, acceptedTerms(ctx.now), event) }
}

/** Changes the profile; an empty text is stored as null. Username and address never change. */
export const updateProfile: SessionHandler<typeof updateProfileEndpoint> = async (ctx, call) => {
  const change = Object.fromEntries(
    Object.entries(call.body).map(([field, text]) => [field, text === '' ? null : text]),
  )
  return {
    success: true,
    message: AUTH.profileSaved,
    user: await saveUser(ctx, call.claims, change, PROFILE_CHANGED),
  }
}

/** Changes theme, currency and optional mails; a mail reports the latter. Fields that are left out stay as they are. */
export const updatePreferences: SessionHandler<typeof updatePreferencesEndpoint> = async (
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
export const updateBilling: SessionHandler<typeof updateBillingEndpoint> = async (ctx, call) => {
  const billing = JSON.stringify(call.body)
  const user = await saveUser(ctx, call.claims, { billing }, PROFILE_CHANGED)
  return { success: true, message: AUTH.profileSaved, user }
}

type Change = Partial<typeof users.$inferInsert>

const PROFILE_CHANGED = { kind: 'profile_changed' } as const

/** Changes nothing once the session has ended or the account is deleted: erased data stays erased. */
async function saveUser(
  ctx: Context,
  claims: Claims,
  change: Change,
  event?: Omit<NewAccountEvent, 'userId'>,
) {
  const { user } = await readAccount(ctx, claims)
  const { id: userId } = user
  const isOpen = isOpenSession({ ...claims, now: ctx.now })
  const { after } = await ctx.db.batch({
    updated: ctx.db
      .update(users)
      .set({ ...change, updatedAt: ctx.now })
      .where(and(eq(users.id, userId), isOpen)),
    after: accountQuery(ctx, claims),
    mail: await mailChange(ctx, { user, change, isOpen }),
    event:
      event === undefined ? null : recordEventFrom(ctx, { userId, ...event }, sql`WHERE ${isOpen}`),
  })
  return toUser(requireSignedIn(after), ctx.now)
}

/**
 * The mail about optional mails that were switched on or off, so that nobody silences an account unnoticed. At most one of
 * each an hour, and none to an address that may be a stranger's.
 */
async function mailChange(
  ctx: Context,
  { user, change, isOpen }: { user: typeof users.$inferSelect; change: Change; isOpen: SQL },
) {
  const { mailReminders } = change
  const isChanged = mailReminders !== undefined && mailReminders !== user.mailReminders
  if (!isChanged || user.emailVerifiedAt === null) return []
  const hour = Math.floor(ctx.now / hours(1))
  return securityMail(ctx, {
    id: `mails-changed:${user.id}:${hour}:${mailReminders}`,
    kind: 'mails_changed',
    payload: (secret) => ({ areRemindersOn: mailReminders, secret }),
    user,
    source: sql`WHERE ${isOpen}`,
  })
}
