import type { SQL } from 'drizzle-orm'
import { FACTOR, type FactorProof } from '../../../src/contract/factor.ts'
import { recordAfterAnswer } from '../account/account-event.ts'
import type { Context } from '../context.ts'
import { sha256Hex } from '../encoding.ts'
import { Refusal } from '../refusal.ts'
import { checkPasskey, findPasskey, refused } from './passkey.ts'
import { useRecoveryCode } from './recovery-codes.ts'
import { acceptedStep, countTotpTry, useTotpStep } from './totp.ts'

/** After this long every count of wrong codes begins again. */
const RETRY_AFTER_SECONDS = 86_400

/** The statements that find what a proof is checked with. `owner` is a subquery of the account's id. */
export function proofStatements(ctx: Context, owner: SQL, proof: FactorProof) {
  return {
    totp: proof.kind === 'totp' ? countTotpTry(ctx, owner) : null,
    passkey: proof.kind === 'passkey' ? findPasskey(ctx, proof.credential) : null,
  }
}

interface Found {
  userId: string
  /** 1 or 0. */
  hasTotp: number
  totp: Awaited<ReturnType<typeof countTotpTry>> | null
  passkey: Awaited<ReturnType<typeof findPasskey>> | null
}

/**
 * Checks that the caller holds a factor of the account. FACTOR_REFUSED otherwise, RATE_LIMITED after too many codes;
 * both are written into the sign-in history, because the caller knows the password or has a session. Returns the
 * statements that use the proof up. If several calls send the same proof, the last statement changes a row only for the
 * first, so let the next one in the batch depend on `previousChangedOne`.
 */
export async function checkProof(ctx: Context, proof: FactorProof, found: Found) {
  try {
    return await acceptProof(ctx, proof, found)
  } catch (error) {
    recordAfterAnswer(ctx, { userId: found.userId, kind: 'factor_failed' })
    throw error
  }
}

/** FACTOR_REFUSED for a recovery code that is wrong, or a proof that was used a moment before. Written into the history. */
export function refuseUsed(ctx: Context, userId: string, kind: FactorProof['kind']): Refusal {
  recordAfterAnswer(ctx, { userId, kind: 'factor_failed' })
  return wrongCode(kind)
}

async function acceptProof(ctx: Context, proof: FactorProof, found: Found) {
  const { userId } = found
  if (proof.kind === 'totp') {
    return [useTotpStep(ctx, userId, await checkCode(ctx, proof.code, found))]
  }
  if (proof.kind === 'recovery') {
    return [useRecoveryCode(ctx, userId, await sha256Hex(proof.code))]
  }
  const passkey = found.passkey?.[0]
  if (passkey?.userId !== userId) throw refused()
  return checkPasskey(ctx, proof, passkey)
}

/** The time step of a right code. */
async function checkCode(
  { now }: Context,
  code: string,
  { totp, hasTotp }: Found,
): Promise<number> {
  const [stored] = totp ?? []
  if (stored === undefined && hasTotp === 1) {
    throw new Refusal('RATE_LIMITED', FACTOR.tooManyCodes, {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }
  const step = stored === undefined ? null : await acceptedStep(stored, { code, now })
  if (step === null) throw wrongCode('totp')
  return step
}

/** FACTOR_REFUSED for a code that is wrong or was used. */
export function wrongCode(kind: FactorProof['kind']): Refusal {
  if (kind === 'passkey') return refused()
  const msg = kind === 'totp' ? FACTOR.wrongCode : FACTOR.wrongRecoveryCode
  return new Refusal('FACTOR_REFUSED', msg, { errors: [{ path: 'code', msg }] })
}
