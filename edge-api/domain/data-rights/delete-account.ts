import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import { type Preferences, ProfileInput } from '../../../src/contract/account.ts'
import type { deleteAccountEndpoint } from '../../../src/contract/credential.ts'
import { DEFAULT_CURRENCY } from '../../../src/contract/kinds.ts'
import { AUTH } from '../../../src/contract/messages.ts'
import { passkeys, recoveryCodes, totps } from '../../db/schema/factors.ts'
import { accountEvents, mails } from '../../db/schema/records.ts'
import { mailedLinks, sessions } from '../../db/schema/sessions.ts'
import { usageSessions, usageTotals } from '../../db/schema/tokens.ts'
import { addressCorrections } from '../../db/schema/admin.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { enqueueMailFrom } from '../mail/outbox.ts'
import { cancelLinksOf } from '../purchase/payment-link.ts'
import type { SessionHandler } from '../handler.ts'
import { recordEventIf } from '../account/record-event.ts'
import { type Account, readAccount, requireConfirmed } from '../session/account-query.ts'
import { forgetDevice } from '../account/device-cookie.ts'
import { isTwoStep } from '../account/has-factor.ts'
import { endAccess } from '../session/session.ts'
import { isStillVerified, withPassword, wrongPassword } from '../password/check-password.ts'
import { eraseSubmissions, isFrom } from './find-submissions.ts'

/**
 * Deletes the account after its password, or after a confirmation when it has none: ends its sessions and erases personal
 * data. Purchases, ledger and receipts stay, because tax law requires receipts. If the address is verified, it gets a last
 * mail, and the tickets and applications sent from it and the mails that repeat them are deleted too. If not, those
 * stay, because anybody can sign up with a stranger's address. Open payment links are cancelled; money that arrives later
 * is refunded.
 */
export const deleteAccount: SessionHandler<typeof deleteAccountEndpoint> = async (ctx, call) => {
  const { claims, body } = call
  const erase = async (account: Account) => {
    const isAsChecked = isStillVerified(ctx, account)
    const { event } = await ctx.db.batch(eraseStatements(ctx, account.user, isAsChecked))
    if (event.rowsAffected === 0) return false
    logDeletion(ctx, claims.userId)
    await forgetDevice(ctx, account.user)
    return true
  }
  if (body.password === undefined) {
    const account = await readAccount(ctx, claims)
    if (account.user.passwordHash !== '') throw wrongPassword(AUTH.wrongPassword, 'password')
    requireConfirmed(ctx, account)
    // A password was set, or the session ended, between the two batches.
    if (!(await erase(account))) throw wrongPassword(AUTH.wrongPassword, 'password')
  } else {
    const proof = { claims, typed: body.password, path: 'password' }
    await withPassword(ctx, proof, async (account, factors) => {
      // The password confirms who it is, unless the account has a second step.
      if (factors.some(isTwoStep)) requireConfirmed(ctx, account)
      return erase(account)
    })
  }
  ctx.waitUntil(() => deliverDueMail(ctx))
  ctx.waitUntil(() => cancelLinksOf(ctx, claims.userId))
  return { success: true, message: AUTH.accountDeleted }
}

/** Names the account in the log, which outlives the database: after a restore, an operator deletes it again (docs/runbook.md). */
export function logDeletion({ log }: Context, userId: string): void {
  log.info('account deleted', { userId })
}

/**
 * The statements that erase an account. The event is recorded only under `condition`: the account is as it was checked. The
 * others run only if it was recorded.
 */
export function eraseStatements(
  ctx: Context,
  user: Pick<Account['user'], 'id' | 'email' | 'emailVerifiedAt'>,
  condition: SQL,
) {
  const { db, now } = ctx
  const own = user.id
  const nowhere = { ...ctx, visitor: { ...ctx.visitor, device: '', ipPrefix: '' } }
  const {
    id,
    event,
    isRecorded: isOurs,
  } = recordEventIf(nowhere, { userId: own, kind: 'account_deleted' }, sql`WHERE ${condition}`)
  return {
    event,
    anonymized: db
      .update(users)
      .set(anonymous(own, now))
      .where(and(eq(users.id, own), isOurs)),
    access: endAccess(ctx, { userId: own, when: isOurs }),
    sessions: db
      .update(sessions)
      .set({ device: '', ipPrefix: '' })
      .where(and(eq(sessions.userId, own), isOurs)),
    corrections: db
      .delete(addressCorrections)
      .where(and(eq(addressCorrections.userId, own), isOurs)),
    links: db.delete(mailedLinks).where(and(eq(mailedLinks.userId, own), isOurs)),
    passkeys: db.delete(passkeys).where(and(eq(passkeys.userId, own), isOurs)),
    totps: db.delete(totps).where(and(eq(totps.userId, own), isOurs)),
    codes: db.delete(recoveryCodes).where(and(eq(recoveryCodes.userId, own), isOurs)),
    usage: db.delete(usageSessions).where(and(eq(usageSessions.userId, own), isOurs)),
    usageTotals: db.delete(usageTotals).where(and(eq(usageTotals.userId, own), isOurs)),
    mails: db.delete(mails).where(and(eq(mails.userId, own), isOurs)),
    events: db
      .delete(accountEvents)
      .where(and(eq(accountEvents.userId, own), ne(accountEvents.id, id), isOurs)),
    // An unverified address may belong to somebody else. Their submissions stay, and they get no mail.
    ofAddress:
      user.emailVerifiedAt === null
        ? []
        : [
            enqueueMailFrom(
              ctx,
              { kind: 'account_deleted', payload: {}, to: user.email, userId: null },
              sql`WHERE ${isOurs}`,
            ),
            ...eraseSubmissions(ctx, (table) => isFrom(table, user.email), isOurs),
          ],
  }
}

/** Values that name nobody. Nobody can type the keys: names and addresses contain no colon. */
function anonymous(userId: string, now: number) {
  return {
    username: 'deleted',
    usernameKey: `deleted:${userId}`,
    email: 'deleted',
    emailKey: `deleted:${userId}`,
    passwordHash: '',
    ...Object.fromEntries(Object.keys(ProfileInput.shape).map((field) => [field, null])),
    googleSubject: null,
    billing: null,
    ...({ theme: 'system', currency: DEFAULT_CURRENCY, mailReminders: true } satisfies Preferences),
    updatedAt: now,
    deletedAt: now,
    // Money that is decided at this moment must know that the account is gone.
    moneyVersion: sql`${users.moneyVersion} + 1`,
  }
}
