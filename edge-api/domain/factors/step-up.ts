import { and, eq, type SQL, sql } from 'drizzle-orm'
import { FACTOR, type FactorProof, type stepUpEndpoint } from '../../../src/contract/factor.ts'
import { previousChangedOne } from '../../db/insert-from.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { accountQuery, CONFIRMED_MS, requireSignedIn } from '../session/account-query.ts'
import { isTwoStep } from '../account/has-factor.ts'
import { isOpenSession } from '../session/session.ts'
import { isStillVerified, withPassword } from '../password/check-password.ts'
import type { Context, Claims } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { ApiError } from '../api-error.ts'
import { toIso } from '../time.ts'
import type { SessionHandler } from '../handler.ts'
import { checkProof, proofStatements, rejectUsed } from './check-proof.ts'
import { reportRecovery } from './recovery-codes.ts'

/**
 * Confirms for ten minutes that the user of this session is the account's: with the password, or with a factor where
 * the account has one. WRONG_PASSWORD or FACTOR_REFUSED otherwise, RATE_LIMITED after too many of them.
 */
export const stepUp: SessionHandler<typeof stepUpEndpoint> = async (ctx, { claims, body }) => {
  const { proof } = body
  if (proof.kind === 'password') await confirmByPassword(ctx, claims, proof.password)
  else await confirmByFactor(ctx, claims, proof)
  return {
    success: true,
    message: FACTOR.confirmed,
    confirmedUntil: toIso(ctx.now + CONFIRMED_MS),
  }
}

async function confirmByPassword(ctx: Context, claims: Claims, password: string): Promise<void> {
  const proof = { claims, typed: password, path: 'password' }
  await withPassword(ctx, proof, async (account, factors) => {
    if (factors.some(isTwoStep)) throw new ApiError('FACTOR_REFUSED', FACTOR.noPassword)
    const { confirmed } = await ctx.db.batch({
      confirmed: confirm(ctx, claims, isStillVerified(ctx, account)),
    })
    return confirmed.length === 1
  })
}

async function confirmByFactor(ctx: Context, claims: Claims, proof: FactorProof): Promise<void> {
  const { userId, sessionId } = claims
  const condition = isOpenSession({ userId, sessionId, now: ctx.now })
  const owner = sql`(SELECT ${userId} WHERE ${condition})`
  const { accounts, ...found } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    ...proofStatements(ctx, owner, proof),
  })
  const account = requireSignedIn(accounts)
  const accepted = await checkProof(ctx, proof, {
    ...found,
    userId,
    guesser: `session:${sessionId}`,
    condition,
  })
  const { confirmed } = await ctx.db.batch({
    accepted,
    confirmed: confirm(ctx, claims, previousChangedOne),
    recovery: proof.kind === 'recovery' ? await reportRecovery(ctx, account.user, sessionId) : null,
  })
  if (confirmed.length === 0) throw rejectUsed(ctx, userId, proof.kind)
  if (proof.kind === 'recovery') ctx.waitUntil(() => deliverDueMail(ctx))
}

function confirm({ db, now }: Context, { userId, sessionId }: Claims, condition: SQL) {
  return db
    .update(sessions)
    .set({ confirmedAt: now })
    .where(and(eq(sessions.id, sessionId), isOpenSession({ userId, sessionId, now }), condition))
    .returning({ id: sessions.id })
}
