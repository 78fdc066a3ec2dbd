import { and, eq, isNull, sql } from 'drizzle-orm'
import { RECOVERY_CODES } from '../../../src/contract/factor.ts'
import { insertFrom } from '../../db/insert-from.ts'
import { recoveryCodes } from '../../db/schema/factors.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { recordEventFrom } from '../account/account-event.ts'
import { hasFactor } from '../account/has-factor.ts'
import { securityMail } from '../account/mailed-link.ts'
import type { Context } from '../context.ts'
import { sha256Hex } from '../encoding.ts'

/** Crockford's Base32: without letters that look like digits. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUP = /.{4}(?!$)/g

/** Ten codes of 80 random bits each, too many to guess from a hash. `shown` as people read them: four groups of four. */
export async function newRecoveryCodes({ randomBytes }: Context) {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    Array.from(randomBytes(16), (byte) => LETTERS.charAt(byte % LETTERS.length)).join(''),
  )
  return {
    shown: codes.map((code) => code.replaceAll(GROUP, '$&-')),
    hashes: await Promise.all(codes.map(sha256Hex)),
  }
}

type NewCodes = Awaited<ReturnType<typeof newRecoveryCodes>>

/** The statement that stores the codes of an account that has a factor, unless it has some. */
export function storeCodes({ db, now }: Context, userId: string, { hashes }: NewCodes) {
  return db.run(
    insertFrom(
      recoveryCodes,
      { codeHash: sql`h.value`, userId, createdAt: now },
      sql`FROM json_each(${JSON.stringify(hashes)}) h WHERE ${hasFactor(userId)} AND NOT EXISTS (
        SELECT 1 FROM ${recoveryCodes} r WHERE r.user_id = ${userId})`,
    ),
  )
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
      payload: (secret) => ({ change, secret }),
      user,
      source: session,
    })),
  ] as const
}

/** The statement that uses a code up. It changes a row only for an unused code of this account. */
export function useRecoveryCode({ db, now }: Context, userId: string, codeHash: string) {
  return db
    .update(recoveryCodes)
    .set({ usedAt: now })
    .where(
      and(
        eq(recoveryCodes.codeHash, codeHash),
        eq(recoveryCodes.userId, userId),
        isNull(recoveryCodes.usedAt),
      ),
    )
}
