import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { RECOVERY_CODES } from '../../../src/contract/factor.ts'
import { insertFrom } from '../../db/insert-from.ts'
import { recoveryCodes } from '../../db/schema/factors.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { recordEventFrom, recordEventIf } from '../account/record-event.ts'
import { hasFactor } from '../account/has-factor.ts'
import { securityMail } from '../mailed-link/mailed-link.ts'
import type { Context } from '../context.ts'
import { sha256Hex } from '../encoding.ts'

/** Crockford's Base32: without letters that look like digits. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUP = /.{4}(?!$)/g

/** Ten codes of 80 random bits each, too many to guess from a hash. */
export function makeCodes({ randomBytes }: Context): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    Array.from(randomBytes(16), (byte) => LETTERS.charAt(byte % LETTERS.length)).join(''),
  )
}

/** New codes, or those that were made before. `shown` as people read them: four groups of four. */
export async function newRecoveryCodes(ctx: Context, codes = makeCodes(ctx)) {
  return {
    shown: codes.map((code) => code.replaceAll(GROUP, '$&-')),
    hashes: await Promise.all(codes.map(sha256Hex)),
  }
}

type NewCodes = Awaited<ReturnType<typeof newRecoveryCodes>>

/** The statement that answers which of these codes an account has and did not use. */
export function unusedOf({ db }: Context, userId: string, { hashes }: NewCodes) {
  const { codeHash, usedAt } = recoveryCodes
  const isOne = inArray(codeHash, hashes)
  return db
    .select({ codeHash })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isOne, isNull(usedAt)))
}

/** In SQL, whether an account has recovery codes that were not used. */
const hasCodes = (userId: SQL | string) => sql`EXISTS (
  SELECT 1 FROM ${recoveryCodes} r WHERE r.user_id = ${userId} AND r.used_at IS NULL)`

/**
 * The statement that stores the codes of an account that has a factor, unless it has unused ones or the condition is
 * false.
 */
export function storeCodes(
  { db, now }: Context,
  userId: string,
  { hashes }: NewCodes,
  condition: SQL,
) {
  return db.run(
    insertFrom(
      recoveryCodes,
      { codeHash: sql`h.value`, userId, createdAt: now },
      sql`FROM json_each(${JSON.stringify(hashes)}) h
        WHERE ${condition} AND ${hasFactor(userId)} AND NOT ${hasCodes(userId)}`,
    ),
  )
}

/** A column of a select from `users`: 1 when the account has no recovery code that was not used. */
export const lacksCodes = () => sql<number>`NOT ${hasCodes(sql`users.id`)}`

/**
 * New codes for an account with a factor at a sign-in, with the statements that store and report them: the old ones may all be
 * used, or "This was not me" has taken them away. They run only if the batch has opened the session.
 */
export async function replaceCodes(
  ctx: Context,
  user: { id: string; email: string },
  sessionId: string,
) {
  const codes = await newRecoveryCodes(ctx)
  const isIn = sql`EXISTS (SELECT 1 FROM ${sessions} s WHERE s.id = ${sessionId})`
  const [anyHash = ''] = codes.hashes
  const { event, isRecorded } = recordEventIf(
    ctx,
    { userId: user.id, kind: 'recovery_codes_renewed' },
    sql`FROM ${recoveryCodes} WHERE ${recoveryCodes.codeHash} = ${anyHash}`,
  )
  const mail = await mailRenewal(ctx, user, sql`WHERE ${isRecorded}`)
  const stored = storeCodes(ctx, user.id, codes, isIn)
  return { shown: codes.shown, statements: [stored, event, ...mail] as const }
}

type Replacement = Awaited<ReturnType<typeof replaceCodes>>

/** The codes for the answer of the sign-in that stored them; none when another sign-in at the same moment did. */
export function newCodesOf(
  codes: Replacement | null,
  results: readonly [{ rowsAffected: number }, ...unknown[]] | null,
) {
  const isStored = results !== null && results[0].rowsAffected > 0
  return codes !== null && isStored ? { recoveryCodes: codes.shown } : {}
}

/** The mail about new recovery codes, for the row that `source` yields. */
export function mailRenewal(ctx: Context, user: { id: string; email: string }, source: SQL) {
  const change = 'New recovery codes were created. The old ones no longer work.'
  return securityMail(ctx, {
    kind: 'factor_changed',
    payload: (secret) => ({ change, secret }),
    user,
    source,
  })
}

/** The statements that report the use of a code, provided the session it was used for exists and is confirmed now. */
export async function reportRecovery(
  ctx: Context,
  user: { id: string; email: string },
  sessionId: string,
) {
  const session = sql`FROM ${sessions} WHERE ${sessions.id} = ${sessionId} AND ${sessions.confirmedAt} = ${ctx.now}`
  const change = 'A recovery code was used. It no longer works.'
  return [
    recordEventFrom(ctx, { userId: user.id, kind: 'recovery_code_used' }, session),
    ...(await securityMail(ctx, {
      kind: 'factor_changed',
      payload: (secret) => ({ change, secret, isRecovery: true }),
      user,
      source: session,
    })),
  ] as const
}

/** The statement that uses a code up, under a condition. It changes a row only for an unused code of this account. */
export function useRecoveryCode(
  { db, now }: Context,
  userId: string,
  codeHash: string,
  condition: SQL,
) {
  return db
    .update(recoveryCodes)
    .set({ usedAt: now })
    .where(
      and(
        eq(recoveryCodes.codeHash, codeHash),
        eq(recoveryCodes.userId, userId),
        isNull(recoveryCodes.usedAt),
        condition,
      ),
    )
}
