import { and, eq, sql } from 'drizzle-orm'
import { SERVER } from '../../../src/contract/messages.ts'
import type { useTokensEndpoint } from '../../../src/contract/usage.ts'
import { balances, ledger } from '../../db/schema/tokens.ts'
import { accountQuery, requireAccount } from '../account/account-query.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { Refusal } from '../refusal.ts'
import type { Claims } from '../account/bearer.ts'
import type { SessionVerb } from '../verb.ts'
import { forgetLowTokens, noteLowTokens } from './note-low-tokens.ts'

/**
 * Spends tokens: one batch, in which one conditional statement takes them or does not.
 * INSUFFICIENT_TOKENS when fewer are left, nothing spent then. With an idempotency key a repetition
 * spends once; the same key with another amount is IDEMPOTENCY_KEY_REUSED. Who has little left then is
 * told, once.
 */
export const useTokens: SessionVerb<typeof useTokensEndpoint> = async (ctx, call) => {
  const { amount, sessionId = null, mode = null } = call.body
  const { userId } = call.claims
  const key = call.idempotencyKey ?? ctx.newId('use')
  const ref = `use:${userId}:${key}`
  const [before, , , mailed, , , entries, after] = await ctx.db.batch([
    accountQuery(ctx, call.claims),
    forgetLowTokens(ctx, userId),
    spend(ctx, call.claims, { ref, amount, sessionId, mode }),
    ...noteLowTokens(ctx, { userId, ref }),
    ctx.db.select({ tokens: ledger.tokens }).from(ledger).where(eq(ledger.ref, ref)),
    ctx.db
      .select({ used: balances.used, total: balances.total })
      .from(balances)
      .where(and(eq(balances.userId, userId), eq(balances.paymentMode, ctx.paymentMode))),
  ])
  requireAccount(before)
  if (mailed.length > 0) ctx.waitUntil(() => deliverDueMail(ctx))
  const [entry] = entries
  if (entry === undefined) {
    throw new Refusal('INSUFFICIENT_TOKENS', SERVER.insufficientTokens)
  }
  if (entry.tokens !== -amount) throw new Refusal('IDEMPOTENCY_KEY_REUSED', SERVER.keyReused)
  return { success: true, used: amount, tokens: after[0] ?? { used: 0, total: 0 } }
}

interface Spending {
  ref: string
  amount: number
  sessionId: string | null
  mode: string | null
}

/** Takes the tokens if the session stands and enough are left; repeated, changes nothing. */
function spend(ctx: Context, claims: Claims, { ref, amount, sessionId, mode }: Spending) {
  return ctx.db.run(sql`
    INSERT INTO ${ledger} (ref, user_id, kind, tokens, usage_session_id, usage_mode, payment_mode, created_at)
    SELECT ${ref}, b.user_id, 'use', ${-amount}, ${sessionId}, ${mode}, b.payment_mode, ${ctx.now}
    FROM balances b
    JOIN sessions s ON s.user_id = b.user_id
    JOIN users u ON u.id = b.user_id
    WHERE b.user_id = ${claims.userId} AND b.payment_mode = ${ctx.paymentMode} AND b.total - b.used >= ${amount}
      AND s.id = ${claims.sessionId} AND s.ended_at IS NULL AND s.expires_at > ${ctx.now}
      AND u.deleted_at IS NULL
    ON CONFLICT (ref) DO NOTHING
  `)
}
