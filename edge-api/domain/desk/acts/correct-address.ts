import { and, eq, gt, inArray, type SQL, sql } from 'drizzle-orm'
import { CORRECTION_DAYS, DESK_ACT } from '../../../../src/contract/desk-acts.ts'
import { ConstraintViolation } from '../../../db/database-error.ts'
import { insertFrom } from '../../../db/insert-from.ts'
import { addressCorrections } from '../../../db/schema/desk.ts'
import { users } from '../../../db/schema/users.ts'
import { addressKeys } from '../../account/address.ts'
import { type Factors, factorsQuery } from '../../account/has-factor.ts'
import { newMailedLink, storeLinkFrom } from '../../account/mailed-link.ts'
import { isOperatorKey } from '../../account/require-operator.ts'
import { endAccess } from '../../account/session.ts'
import type { Context } from '../../context.ts'
import { days } from '../../time.ts'
import {
  type ActOf,
  inOneBatch,
  isThere,
  mailTo,
  notify,
  requireNoOperator,
  requireTarget,
  type Target,
  targetQuery,
  type PlannedAct,
  refuse,
} from '../planned-act.ts'

type About = ActOf<'correct_address'>

/** The address of an account. */
export const ADDRESS = { correct_address: planCorrectAddress, undo_correction: planUndoCorrection }

const CORRECTED =
  'Our support team corrected the address of this account. All devices were signed out.'

/**
 * Gives an account another address, not proven yet. All access through the former address ends: sessions, mailed links,
 * the Google account, and a password that was set with a mailed link. Second steps stay: they keep out an impostor who
 * talked an operator into this. NOTHING_TO_CHANGE when the address is taken.
 */
export async function planCorrectAddress(
  ctx: Context,
  { userId, email }: About,
): Promise<PlannedAct> {
  const { db, now } = ctx
  const keys = addressKeys(email)
  const [emailKey] = keys
  const isHolder = inArray(users.emailKey, keys)
  const isTaken = sql`EXISTS (SELECT 1 FROM ${users} WHERE ${isHolder})`
  const { targets, holders, corrections, factors } = await db.batch({
    targets: targetQuery(ctx, userId),
    holders: db.select({ id: users.id }).from(users).where(isHolder),
    corrections: correctionQuery(ctx, userId),
    factors: factorsQuery(ctx, userId),
  })
  const target = requireTarget(targets)
  requireNoOperator(ctx, target)
  if (keys.includes(target.emailKey)) throw refuse(DESK_ACT.sameAddress)
  if (isOperatorKey(ctx, emailKey)) throw refuse(DESK_ACT.operatorAddress)
  if (holders.length > 0) throw refuse(DESK_ACT.addressTaken)
  if (corrections.length > 0) throw refuse(DESK_ACT.corrected)
  const link = await newMailedLink(ctx, 'verify')
  return {
    changes: [
      'The account gets the address you entered, not yet verified. We email a verification link there.',
      `We email the former address about it, without naming the new one. The desk can undo this for ${CORRECTION_DAYS} days.`,
      'All sessions end. Links emailed to the former address stop working.',
      ...lostWays(target),
      ...keptFactors(factors[0]),
    ],
    carryOut: unlessTaken(
      DESK_ACT.addressTaken,
      inOneBatch(ctx, sql`${isAsSeen(target)} AND NOT ${isTaken}`, (isWritten) => {
        const former = {
          userId,
          email: sql`u.email`,
          emailKey: sql`u.email_key`,
          emailVerifiedAt: sql`u.email_verified_at`,
          googleSubject: sql`u.google_subject`,
          correctedAt: now,
        }
        return {
          // An older row waits for the purge.
          former: db.run(
            sql`${insertFrom(addressCorrections, former, sql`FROM ${users} u WHERE u.id = ${userId} AND ${isWritten}`)}
              ON CONFLICT (user_id) DO UPDATE SET
                email = excluded.email, email_key = excluded.email_key,
                email_verified_at = excluded.email_verified_at,
                google_subject = excluded.google_subject, corrected_at = excluded.corrected_at`,
          ),
          mail: mailTo(ctx, isWritten, {
            kind: 'address_corrected',
            payload: { secret: link.secret },
            to: email,
            userId,
          }),
          ...replaceAddress(ctx, target, {
            address: { email, emailKey, emailVerifiedAt: null, googleSubject: null },
            when: isWritten,
          }),
          // After the end of all access, which would void it.
          link: storeLinkFrom(
            ctx,
            link,
            sql`FROM ${users} WHERE ${users.id} = ${userId} AND ${isWritten}`,
          ),
        }
      }),
    ),
  }
}

/** Gives an account the address back that it had before the last correction, as proven as it was. */
async function planUndoCorrection(
  ctx: Context,
  { userId }: Pick<About, 'userId'>,
): Promise<PlannedAct> {
  const { db } = ctx
  const { targets, corrections } = await db.batch({
    targets: targetQuery(ctx, userId),
    corrections: correctionQuery(ctx, userId),
  })
  const target = requireTarget(targets)
  requireNoOperator(ctx, target)
  const [former] = corrections
  if (former === undefined) throw refuse(DESK_ACT.notCorrected)
  if (isOperatorKey(ctx, former.emailKey)) throw refuse(DESK_ACT.operatorAddress)
  const isThis = sql`EXISTS (
    SELECT 1 FROM ${addressCorrections} c
    WHERE c.user_id = ${userId} AND c.corrected_at = ${former.correctedAt})`
  return {
    changes: [
      `The account gets its former address back, ${former.emailVerifiedAt === null ? 'not verified, as before' : 'verified, as before'}. We email both addresses about it.`,
      'All sessions end. Links emailed to the other address stop working.',
      ...(former.googleSubject === null ? [] : ['Its Google account can sign in again.']),
      'A password that was set with a link since then is cleared, and a cleared one stays cleared: "Forgot your password?" sets a new one.',
    ],
    carryOut: unlessTaken(
      DESK_ACT.formerTaken,
      inOneBatch(ctx, sql`${isAsSeen(target)} AND ${isThis}`, (isWritten) => ({
        mail: mailTo(ctx, isWritten, {
          kind: 'address_restored',
          payload: {},
          to: former.email,
          userId,
        }),
        ...replaceAddress(ctx, target, { address: former, when: isWritten }),
        forgotten: db
          .delete(addressCorrections)
          .where(and(eq(addressCorrections.userId, userId), isWritten)),
      })),
    ),
  }
}

/** The correction of an account that can still be taken back. */
export function correctionQuery({ db, now }: Context, userId: string) {
  return db
    .select()
    .from(addressCorrections)
    .where(
      and(
        eq(addressCorrections.userId, userId),
        gt(addressCorrections.correctedAt, now - days(CORRECTION_DAYS)),
      ),
    )
}

/** Whether it has the address and the ways in that the operator saw. */
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
        passwordHash: sql`iif(${users.isPasswordProven}, '', ${users.passwordHash})`,
        isPasswordProven: false,
      })
      .where(and(eq(users.id, userId), when)),
    access: endAccess(ctx, { userId, when, links: 'all' }),
    event: notify(ctx, userId, { text: CORRECTED, when }),
    notice: mailTo(ctx, when, { kind: 'address_replaced', payload: {}, to: before, userId }),
  }
}

function lostWays({ passwordHash, isPasswordProven, googleSubject }: Target): string[] {
  const password =
    passwordHash === ''
      ? []
      : [
          isPasswordProven
            ? 'The password is cleared, because it was set with a link emailed to the former address. "Forgot your password?" sets a new one.'
            : 'The password stays: it was set at registration.',
        ]
  const google =
    googleSubject === null ? [] : ['The Google account is disconnected and can no longer sign in.']
  return [...password, ...google]
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

/** As `carryOut`. NOTHING_TO_CHANGE with `reason` when somebody took the address or the Google account meanwhile. */
function unlessTaken(reason: string, carryOut: PlannedAct['carryOut']): PlannedAct['carryOut'] {
  return async (entry) => {
    try {
      await carryOut(entry)
    } catch (error) {
      throw error instanceof ConstraintViolation ? refuse(reason) : error
    }
  }
}
