import { and, eq, sql } from 'drizzle-orm'
import type { changePasswordEndpoint } from '../../../src/contract/credential.ts'
import { FIELD } from '../../../src/contract/field-messages.ts'
import { AUTH } from '../../../src/contract/messages.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import type { SessionHandler } from '../handler.ts'
import { acceptPassword, rejectPassword } from './accept-password.ts'
import { recordEventIf } from '../account/record-event.ts'
import type { Account } from '../session/account-query.ts'
import { rememberDevice } from '../account/device-cookie.ts'
import { endAccess } from '../session/session.ts'
import { securityMail } from '../mailed-link/mailed-link.ts'
import { normalPassword } from '../crypto/hash-password.ts'
import { isStillVerified, withPassword } from './check-password.ts'

/** Changes the password and ends all access to the account except this session. */
export const changePassword: SessionHandler<typeof changePasswordEndpoint> = async (ctx, call) => {
  const { currentPassword, newPassword } = call.body
  const proof = { claims: call.claims, typed: currentPassword, path: 'currentPassword' }
  let passwordHash: string | null = null
  await withPassword(ctx, proof, async (account) => {
    if (normalPassword(newPassword) === normalPassword(currentPassword))
      throw rejectPassword('newPassword', FIELD.passwordSame)
    const owner = account.user
    const chosen = { password: newPassword, owner, path: 'newPassword', known: owner.id }
    passwordHash ??= await acceptPassword(ctx, chosen)
    const { event } = await ctx.db.batch(await changeStatements(ctx, account, passwordHash))
    if (event.rowsAffected === 0) return false
    await rememberDevice(ctx, { emailKey: account.user.emailKey, passwordHash })
    return true
  })
  ctx.waitUntil(() => deliverDueMail(ctx))
  return { success: true, message: AUTH.passwordChanged }
}

/** Records the event only if the account is as it was checked; the others run only if it was recorded. */
async function changeStatements(ctx: Context, account: Account, passwordHash: string) {
  const { db, now } = ctx
  const { user, session } = account
  const { event, isRecorded: isOurs } = recordEventIf(
    ctx,
    { userId: user.id, kind: 'password_changed' },
    sql`WHERE ${isStillVerified(ctx, account)}`,
  )
  return {
    event,
    changed: db
      .update(users)
      .set({ passwordHash, updatedAt: now })
      .where(and(eq(users.id, user.id), isOurs)),
    access: endAccess(ctx, { userId: user.id, except: session.id, when: isOurs }),
    mail: await securityMail(ctx, {
      kind: 'password_changed',
      payload: (secret) => ({ secret }),
      user,
      source: sql`WHERE ${isOurs}`,
    }),
  }
}
