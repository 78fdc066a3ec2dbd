import { and, eq, gt, inArray, type SQL, sql } from 'drizzle-orm'
import { CORRECTION_DAYS } from '../../../src/contract/limits.ts'
import { email as emailField } from '../../../src/contract/text.ts'
import { z } from '../../../src/contract/zod.ts'
import { ConstraintViolation } from '../../db/database-error.ts'
import { insertFrom } from '../../db/insert-from.ts'
import { addressCorrections } from '../../db/schema/admin.ts'
import { users } from '../../db/schema/users.ts'
import { emailKeysOf } from '../../domain/account/address.ts'
import { type Factors, factorsQuery } from '../../domain/account/has-factor.ts'
import { newMailedLink, storeLinkFrom } from '../../domain/mailed-link/mailed-link.ts'
import { endAccess } from '../../domain/session/session.ts'
import type { Context } from '../../domain/context.ts'
import { days } from '../../domain/time.ts'
import {
  defineAccountAction,
  inOneBatch,
  isThere,
  mailTo,
  notify,
  type Plan,
  reject,
  type Target,
} from './action.ts'

const CORRECTED =
  'Our support team corrected the address of this account. All devices were signed out.'
const TAKEN = 'Another account has this address. Delete that one first, if it is empty.'
const FORMER_TAKEN =
  'Another account now has the former address or its Google account. Give this account a different address.'

/**
 * Gives an account another address, not verified yet. All access through the former address ends: sessions, mailed links,
 * the Google account, and a password that was set with a mailed link. Second steps stay: they keep out an impostor who
 * talked an admin into this (docs/decisions/0106-admins-act-in-writing.md).
 */
const correctAddress = defineAccountAction({
  kind: 'correct_address',
  label: 'Correct the address',
  input: z.object({ email: emailField() }),
  fields: [{ name: 'email', label: 'The right address', type: 'email' }],
  plan: async (ctx, target, { email }) => {
    const { db, now } = ctx
    const { id: userId } = target
    const keys = emailKeysOf(email)
    const [emailKey] = keys
    const isHolder = inArray(users.emailKey, keys)
    const isTaken = sql`EXISTS (SELECT 1 FROM ${users} WHERE ${isHolder})`
    const { holders, corrections, factors } = await db.batch({
      holders: db.select({ id: users.id }).from(users).where(isHolder),
      corrections: correctionQuery(ctx, userId),
      factors: factorsQuery(ctx, userId),
    })
    if (keys.includes(target.emailKey)) throw reject('The account already has this address.')
    if (holders.length > 0) throw reject(TAKEN)
    if (corrections.length > 0) {
      throw reject(
        `The address was corrected within the last ${CORRECTION_DAYS} days. Undo that first, or wait until they are over.`,
      )
    }
    const link = await newMailedLink(ctx, 'verify')
    const payload = { secret: link.secret }
    const ofUser = sql`FROM ${users} WHERE ${users.id} = ${userId}`
    const { emailVerifiedAt, googleSubject } = users
    const asVerified = {
      emailVerifiedAt: sql`${emailVerifiedAt}`,
      googleSubject: sql`${googleSubject}`,
    }
    const former = {
      userId,
      email: target.email,
      emailKey: target.emailKey,
      ...asVerified,
      correctedAt: now,
    }
    return {
      // The log is permanent, so its sentences name no address.
      changes: [
        'The account gets the address you entered, not yet verified.',
        'All sessions end. Links emailed to the former address stop working.',
        ...lostMethods(target),
        ...keptFactors(factors[0]),
        `An admin can undo this for ${CORRECTION_DAYS} days.`,
      ],
      notification:
        'We email a verification link to the new address, and the former one that it was replaced, without naming the new one. The bell says it too.',
      execute: unlessTaken(
        TAKEN,
        inOneBatch(ctx, sql`${isAsSeen(target)} AND NOT ${isTaken}`, (isWritten) => ({
          // An older row waits for the purge.
          former: db.run(
            sql`${insertFrom(addressCorrections, former, sql`${ofUser} AND ${isWritten}`)}
              ON CONFLICT (user_id) DO UPDATE SET email = excluded.email, email_key = excluded.email_key,
                email_verified_at = excluded.email_verified_at,
                google_subject = excluded.google_subject, corrected_at = excluded.corrected_at`,
          ),
          mail: mailTo(ctx, isWritten, { kind: 'address_corrected', payload, to: email, userId }),
          ...replaceAddress(ctx, target, {
            address: { email, emailKey, emailVerifiedAt: null, googleSubject: null },
            when: isWritten,
          }),
          // After the end of all access, which would void it.
          link: storeLinkFrom(ctx, link, sql`${ofUser} AND ${isWritten}`),
        })),
      ),
    }
  },
})

/** Gives an account the address back that it had before the last correction, as verified as it was. */
const undoCorrection = defineAccountAction({
  kind: 'undo_correction',
  label: 'Undo the correction',
  input: z.object({}),
  plan: async (ctx, target) => {
    const { db } = ctx
    const { id: userId } = target
    const [[former]] = await db.batch([correctionQuery(ctx, userId)])
    if (former === undefined) {
      throw reject(
        `No address was corrected within the last ${CORRECTION_DAYS} days. If you know the former one, correct it again.`,
      )
    }
    const kind = 'address_restored'
    const isThis = sql`EXISTS (
      SELECT 1 FROM ${addressCorrections} c
      WHERE c.user_id = ${userId} AND c.corrected_at = ${former.correctedAt})`
    return {
      changes: [
        `The account gets its former address back, ${former.emailVerifiedAt === null ? 'not verified' : 'verified'}, as before.`,
        'All sessions end. Links emailed to the other address stop working.',
        ...(former.googleSubject === null ? [] : ['Its Google account can sign in again.']),
        'A password that was set with a link since then is cleared, and a cleared one stays cleared: "Forgot your password?" sets a new one.',
      ],
      notification: 'We email both addresses about it. The bell says it too.',
      execute: unlessTaken(
        FORMER_TAKEN,
        inOneBatch(ctx, sql`${isAsSeen(target)} AND ${isThis}`, (isWritten) => ({
          mail: mailTo(ctx, isWritten, { kind, payload: {}, to: former.email, userId }),
          ...replaceAddress(ctx, target, { address: former, when: isWritten }),
          forgotten: db
            .delete(addressCorrections)
            .where(and(eq(addressCorrections.userId, userId), isWritten)),
        })),
      ),
    }
  },
})

/** The address of an account. */
export const ADDRESS_ACTIONS = [correctAddress, undoCorrection]

/** The correction of an account that can still be undone. */
export function correctionQuery({ db, now }: Context, userId: string) {
  const { userId: of, correctedAt } = addressCorrections
  return db
    .select()
    .from(addressCorrections)
    .where(and(eq(of, userId), gt(correctedAt, now - days(CORRECTION_DAYS))))
}

/** Whether it has the address and the password that the admin saw. */
function isAsSeen({ id, emailKey, passwordHash }: Target): SQL {
  return isThere(id, sql`u.email_key = ${emailKey} AND u.password_hash = ${passwordHash}`)
}

interface Replacement {
  address: Pick<Target, 'email' | 'emailKey' | 'emailVerifiedAt' | 'googleSubject'>
  when: SQL
}

/** The statements that give an account another address, end all access through the one before and mail that one. */
function replaceAddress(
  ctx: Context,
  { id: userId, email: before }: Target,
  { address: { email, emailKey, emailVerifiedAt, googleSubject }, when }: Replacement,
) {
  return {
    replaced: ctx.db
      .update(users)
      .set({
        ...{ email, emailKey, emailVerifiedAt, googleSubject, updatedAt: ctx.now },
        // A password that was set with a mailed link belongs to the reader of the mail.
        passwordHash: sql`iif(${users.isPasswordVerified}, '', ${users.passwordHash})`,
        isPasswordVerified: false,
      })
      .where(and(eq(users.id, userId), when)),
    access: endAccess(ctx, { userId, when, links: 'all' }),
    event: notify(ctx, userId, { text: CORRECTED, when }),
    notice: mailTo(ctx, when, { kind: 'address_replaced', payload: {}, to: before, userId }),
  }
}

function lostMethods({ passwordHash, isPasswordVerified, googleSubject }: Target): string[] {
  const password = isPasswordVerified
    ? 'The password is cleared, because it was set with a link emailed to the former address. "Forgot your password?" sets a new one.'
    : 'The password stays: it was set at registration.'
  const google = 'The Google account is disconnected and can no longer sign in.'
  return [...(passwordHash === '' ? [] : [password]), ...(googleSubject === null ? [] : [google])]
}

function keptFactors(factors: Factors[number] | undefined): string[] {
  const kept = [
    ...(factors?.hasPasskey === 1 ? ['passkeys'] : []),
    ...(factors?.hasTotp === 1 ? ['the authenticator app'] : []),
  ]
  if (kept.length === 0) return []
  return [
    `What stays: ${kept.join(' and ')}. If the wrong person set that up, suspend the account.`,
  ]
}

/** As `execute`. NOTHING_TO_CHANGE with `reason` when somebody took the address or the Google account meanwhile. */
function unlessTaken(reason: string, execute: Plan['execute']): Plan['execute'] {
  return async (entry) => {
    try {
      await execute(entry)
    } catch (error) {
      throw error instanceof ConstraintViolation ? reject(reason) : error
    }
  }
}
