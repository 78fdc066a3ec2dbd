import { and, eq, sql } from 'drizzle-orm'
import { SERVER } from '../../../src/contract/messages.ts'
import type { useTokensEndpoint } from '../../../src/contract/usage.ts'
import { insertFrom } from '../../db/insert-from.ts'
import { balances, ledger } from '../../db/schema/tokens.ts'
import { accountQuery, requireAccount } from '../account/account-query.ts'
import type { Context } from '../context.ts'
import { touchSession } from '../account/touch-session.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { Refusal } from '../refusal.ts'
import type { Claims } from '../account/bearer.ts'
import type { SessionVerb } from '../verb.ts'
import { resetLowTokens, notifyLowTokens } from './notify-low-tokens.ts'

/**
 * Uses tokens in one batch, in which one conditional statement takes them or does not. INSUFFICIENT_TOKENS when fewer
 * are left; then nothing is used. With an idempotency key a repetition uses them once; the same key with another amount
 * is IDEMPOTENCY_KEY_REUSED. A user with few tokens left is notified once.
 */
export const useTokens: SessionVerb<typeof useTokensEndpoint> = async (ctx, call) => {
  const { amount, sessionId = null, mode = null } = call.body
  const { userId } = call.claims
  const key = call.idempotencyKey ?? ctx.newId('use')
  const ref = `use:${userId}:${key}`
  const { accounts, mailed, entries, after } = await ctx.db.batch({
    accounts: accountQuery(ctx, call.claims),
    reset: resetLowTokens(ctx, userId),
    used: enterUse(ctx, call.claims, { ref, amount, sessionId, mode }),
    ...notifyLowTokens(ctx, { userId, ref }),
    entries: ctx.db.select({ tokens: ledger.tokens }).from(ledger).where(eq(ledger.ref, ref)),
    after: ctx.db
      .select({ used: balances.used, total: balances.total })
      .from(balances)
      .where(and(eq(balances.userId, userId), eq(balances.paymentMode, ctx.paymentMode))),
  })
  touchSession(ctx, requireAccount(accounts).session)
  if (mailed.length > 0) ctx.waitUntil(() => deliverDueMail(ctx))
  const [entry] = entries
  if (entry === undefined) {
    throw new Refusal('INSUFFICIENT_TOKENS', SERVER.insufficientTokens)
  }
  if (entry.tokens !== -amount) throw new Refusal('IDEMPOTENCY_KEY_REUSED', SERVER.keyReused)
  return { success: true, used: amount, tokens: after[0] ?? { used: 0, total: 0 } }
}

interface Use {
  ref: string
  amount: number
  sessionId: string | null
  mode: string | null
}

/** Takes the tokens if the session is valid and enough are left. Repeating it changes nothing. */
function enterUse(ctx: Context, claims: Claims, { ref, amount, sessionId, mode }: Use) {
  const entry = {
    ref,
    userId: sql`b.user_id`,
    kind: 'use' as const,
    tokens: -amount,
    usageSessionId: sessionId,
    usageMode: mode,
    paymentMode: sql`b.payment_mode`,
    createdAt: ctx.now,
  }
  const source = sql`
    FROM balances b
    JOIN sessions s ON s.user_id = b.user_id
    JOIN users u ON u.id = b.user_id
    WHERE b.user_id = ${claims.userId} AND b.payment_mode = ${ctx.paymentMode}
      AND b.total - b.used >= ${amount}
      AND s.id = ${claims.sessionId} AND s.ended_at IS NULL AND s.expires_at > ${ctx.now}
      AND u.deleted_at IS NULL`
  return ctx.db.run(sql`${insertFrom(ledger, entry, source)} ON CONFLICT (ref) DO NOTHING`)
}
