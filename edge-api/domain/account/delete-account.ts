import { eq, sql } from 'drizzle-orm'
import type { deleteAccountEndpoint } from '../../../src/contract/credential.ts'
import { AUTH } from '../../../src/contract/messages.ts'
import { accountEvents, mails } from '../../db/schema/records.ts'
import { mailedLinks, sessions } from '../../db/schema/sessions.ts'
import { usageSessions } from '../../db/schema/tokens.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { enqueueMail } from '../mail/outbox.ts'
import type { SessionVerb } from '../verb.ts'
import { recordEvent } from './account-event.ts'
import { type Account, accountQuery, requireAccount } from './account-query.ts'
import { requirePassword } from './change-password.ts'
import { voidUnredeemed } from './open-session.ts'
import { eraseSubmissions } from './written-from.ts'

/**
 * Deletes the account: ends its sessions and erases personal data. Purchases, ledger and receipts stay, because tax law
 * requires receipts. If the address is verified, tickets and job applications sent from it and the mails that repeat
 * them are deleted too. A payment that arrives later still settles, for an account that nobody can use.
 */
export const deleteAccount: SessionVerb<typeof deleteAccountEndpoint> = async (ctx, call) => {
  const { accounts } = await ctx.db.batch({ accounts: accountQuery(ctx, call.claims) })
  const account = requireAccount(accounts)
  await requirePassword(ctx, account, { typed: call.body.password, path: 'password' })
  await ctx.db.batch(eraseStatements(ctx, account))
  ctx.waitUntil(() => deliverDueMail(ctx))
  return { success: true, message: AUTH.accountDeleted }
}

function eraseStatements(ctx: Context, { user }: Account) {
  const { db, now } = ctx
  const own = user.id
  return [
    db.update(users).set(anonymous(own, now)).where(eq(users.id, own)),
    db
      .update(sessions)
      .set({ endedAt: sql`coalesce(${sessions.endedAt}, ${now})`, device: '', ipPrefix: '' })
      .where(eq(sessions.userId, own)),
    db.delete(mailedLinks).where(eq(mailedLinks.userId, own)),
    ...voidUnredeemed(ctx, own),
    db.delete(usageSessions).where(eq(usageSessions.userId, own)),
    db.delete(mails).where(eq(mails.userId, own)),
    db.delete(accountEvents).where(eq(accountEvents.userId, own)),
    recordEvent(ctx, { userId: own, kind: 'account_deleted' }),
    // The id makes two deletions at once send one mail.
    enqueueMail(ctx, {
      kind: 'account_deleted',
      payload: {},
      id: `account-deleted:${own}`,
      to: user.email,
      userId: null,
    }),
    // An unverified address may belong to somebody else, whose submissions must stay.
    ...(user.emailVerifiedAt === null ? [] : eraseSubmissions(ctx, user.email)),
  ] as const
}

/** Values that name nobody. No typed name or address can equal the keys. */
function anonymous(userId: string, now: number) {
  return {
    username: 'deleted',
    usernameKey: `deleted:${userId}`,
    email: 'deleted',
    emailKey: `deleted:${userId}`,
    passwordHash: '',
    firstName: null,
    lastName: null,
    phone: null,
    bio: null,
    googleSubject: null,
    updatedAt: now,
    deletedAt: now,
  }
}
