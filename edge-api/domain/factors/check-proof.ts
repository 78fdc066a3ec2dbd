import { type SQL, sql } from 'drizzle-orm'
import { FACTOR, type FactorProof } from '../../../src/contract/factor.ts'
import { recordAfterAnswer } from '../account/record-event.ts'
import {
  countOne,
  countOneLess,
  dailyCounter,
  isWithinLimit,
  requireWithinLimit,
} from '../account/daily-limit.ts'
import type { Context } from '../context.ts'
import { sha256Hex } from '../encoding.ts'
import { ApiError } from '../api-error.ts'
import { checkPasskey, findPasskey, rejectPasskey } from './passkey.ts'
import { useRecoveryCode } from './recovery-codes.ts'
import { acceptedTimeStep, findTotp, useTimeStep } from './totp.ts'

/** The statements that find what a proof is checked with. `owner` is a subquery of the account's id. */
export function proofStatements(ctx: Context, owner: SQL, proof: FactorProof) {
  return {
    totp: proof.kind === 'totp' ? findTotp(ctx, owner) : null,
    passkey: proof.kind === 'passkey' ? findPasskey(ctx, proof.credential) : null,
  }
}

interface Found {
  userId: string
  /** For whom wrong codes are counted: a session with the apps that it approved, a browser that the account knows, or all others. */
  guesser: string
  /** In SQL, whether the ticket or session that the proof is for is still open. Otherwise the proof is not used up. */
  condition: SQL
  totp: Awaited<ReturnType<typeof findTotp>> | null
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
    // A database that does not answer says nothing about the caller.
    if (error instanceof ApiError) {
      recordAfterAnswer(ctx, { userId: found.userId, kind: 'factor_failed' })
    }
    throw error
  }
}

/** FACTOR_REFUSED for a recovery code that is wrong, or a proof that was used a moment before. Written into the history. */
export function rejectUsed(ctx: Context, userId: string, kind: FactorProof['kind']): ApiError {
  recordAfterAnswer(ctx, { userId, kind: 'factor_failed' })
  return wrongCode(kind)
}

async function acceptProof(ctx: Context, proof: FactorProof, found: Found) {
  const { userId, condition } = found
  if (proof.kind === 'totp') return acceptCode(ctx, proof.code, found)
  if (proof.kind === 'recovery') {
    return [useRecoveryCode(ctx, userId, await sha256Hex(proof.code), condition)]
  }
  const passkey = found.passkey?.[0]
  if (passkey?.userId !== userId) throw rejectPasskey()
  return checkPasskey(ctx, proof, passkey)
}

/**
 * Counts an attempt before its code is checked, so that many at once cannot exceed the limits: twenty a day for each guesser,
 * 300 for an account. Somebody who knows the password and guesses as a stranger for a year gets in with a chance of 2 %: 365
 * days × 20 attempts × 3 accepted codes of 1,000,000.
 */
async function acceptCode(ctx: Context, code: string, { userId, guesser, condition, totp }: Found) {
  const [stored] = totp ?? []
  if (stored === undefined) throw wrongCode('totp')
  const own = await dailyCounter(ctx, 'code', guesser)
  const all = await dailyCounter(ctx, 'accountCode', userId)
  const { ownAttempts, accountAttempts } = await ctx.db.batch({
    ownAttempts: countOne(ctx, own),
    // A guesser that has used up its own attempts does not count against the account's.
    accountAttempts: countOne(ctx, all, sql`WHERE ${isWithinLimit(own)}`),
  })
  requireWithinLimit(ctx, own, ownAttempts, FACTOR.tooManyCodes)
  requireWithinLimit(ctx, all, accountAttempts, FACTOR.tooManyCodes)
  const timeStep = await acceptedTimeStep(stored, { code, now: ctx.now })
  if (timeStep === null) throw wrongCode('totp')
  return [
    countOneLess(ctx, own),
    countOneLess(ctx, all),
    useTimeStep(ctx, userId, timeStep, condition),
  ] as const
}

/** FACTOR_REFUSED for a code that is wrong or was used. */
export function wrongCode(kind: FactorProof['kind']): ApiError {
  if (kind === 'passkey') return rejectPasskey()
  const msg = kind === 'totp' ? FACTOR.wrongCode : FACTOR.wrongRecoveryCode
  return new ApiError('FACTOR_REFUSED', msg, { errors: [{ path: 'code', msg }] })
}
