import { and, eq, isNull, ne } from 'drizzle-orm'
import type { changePasswordEndpoint } from '../../../src/contract/credential.ts'
import { NO_PASSWORD } from '../../../src/contract/google.ts'
import { AUTH, FIELD } from '../../../src/contract/messages.ts'
import { mailedLinks, sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { Refusal } from '../refusal.ts'
import { verifyPassword } from './password-hash.ts'
import type { SessionVerb } from '../verb.ts'
import { acceptPassword, refusePassword } from './accept-password.ts'
import { recordEvent } from './account-event.ts'
import { type Account, accountQuery, requireAccount } from './account-query.ts'
import { voidUnredeemed } from './open-session.ts'

/** WRONG_PASSWORD unless the password is the account's. Without a password, the message says how to set one. */
export async function requirePassword(
  ctx: Context,
  account: Account,
  { typed, path }: { typed: string; path: string },
): Promise<void> {
  const { passwordHash } = account.user
  if (await ctx.hashGate.pass(() => verifyPassword(typed, passwordHash))) return
  const msg = passwordHash === '' ? NO_PASSWORD : AUTH.wrongPassword
  throw new Refusal('WRONG_PASSWORD', msg, { errors: [{ path, msg }] })
}

/** Changes the password, ends all other sessions and voids open reset links, device codes and Google passes. */
export const changePassword: SessionVerb<typeof changePasswordEndpoint> = async (ctx, call) => {
  const { currentPassword, newPassword } = call.body
  const { accounts } = await ctx.db.batch({ accounts: accountQuery(ctx, call.claims) })
  const account = requireAccount(accounts)
  await requirePassword(ctx, account, { typed: currentPassword, path: 'currentPassword' })
  if (newPassword === currentPassword) throw refusePassword('newPassword', FIELD.passwordSame)
  const chosen = { password: newPassword, owner: account.user, path: 'newPassword' }
  const passwordHash = await acceptPassword(ctx, chosen)
  await ctx.db.batch(changeStatements(ctx, account, passwordHash))
  ctx.waitUntil(() => deliverDueMail(ctx))
  return { success: true, message: AUTH.passwordChanged }
}

function changeStatements(ctx: Context, { user, session }: Account, passwordHash: string) {
  const { db, now } = ctx
  return [
    db.update(users).set({ passwordHash, updatedAt: now }).where(eq(users.id, user.id)),
    db
      .update(sessions)
      .set({ endedAt: now })
      .where(
        and(eq(sessions.userId, user.id), ne(sessions.id, session.id), isNull(sessions.endedAt)),
      ),
    db
      .update(mailedLinks)
      .set({ voidedAt: now })
      .where(
        and(
          eq(mailedLinks.userId, user.id),
          eq(mailedLinks.purpose, 'reset'),
          isNull(mailedLinks.usedAt),
        ),
      ),
    ...voidUnredeemed(ctx, user.id),
    recordEvent(ctx, { userId: user.id, kind: 'password_changed' }),
    enqueueMail(ctx, {
      kind: 'password_changed',
      payload: {},
      to: user.email,
      userId: user.id,
    }),
  ] as const
}
