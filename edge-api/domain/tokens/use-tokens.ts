import { and, eq, sql } from 'drizzle-orm'
import { SERVER } from '../../../src/contract/messages.ts'
import type { useTokensEndpoint } from '../../../src/contract/usage.ts'
import { accountEvents } from '../../db/schema/records.ts'
import { balances, ledger } from '../../db/schema/tokens.ts'
import { accountQuery, requireAccount } from '../account/account-query.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../refusal.ts'
import type { Claims } from '../session/bearer.ts'
import type { SessionVerb } from '../verb.ts'

/** Below this share of what was bought the owner is told that little is left. */
const LOW_SHARE_PERCENT = 10

/**
 * Spends tokens: one batch, in which one conditional statement takes them or does not.
 * INSUFFICIENT_TOKENS when fewer are left, nothing spent then. With an idempotency key a repetition
 * spends once; the same key with another amount is IDEMPOTENCY_KEY_REUSED.
 */
export const useTokens: SessionVerb<typeof useTokensEndpoint> = async (ctx, call) => {
  const { amount, sessionId = null, mode = null } = call.body
  const key = call.idempotencyKey ?? ctx.newId('use')
  const ref = `use:${call.claims.userId}:${key}`
  const [before, , , entries, after] = await ctx.db.batch([
    accountQuery(ctx, call.claims),
    spend(ctx, call.claims, { ref, amount, sessionId, mode }),
    noteLowTokens(ctx, call.claims.userId),
    ctx.db.select({ tokens: ledger.tokens }).from(ledger).where(eq(ledger.ref, ref)),
    ctx.db
      .select({ used: balances.used, total: balances.total })
      .from(balances)
      .where(and(eq(balances.userId, call.claims.userId), eq(balances.mode, ctx.mode))),
  ])
  requireAccount(before)
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
    INSERT INTO ${ledger} (ref, user_id, kind, tokens, usage_session_id, usage_mode, mode, created_at)
    SELECT ${ref}, b.user_id, 'use', ${-amount}, ${sessionId}, ${mode}, b.mode, ${ctx.now}
    FROM balances b
    JOIN sessions s ON s.user_id = b.user_id
    JOIN users u ON u.id = b.user_id
    WHERE b.user_id = ${claims.userId} AND b.mode = ${ctx.mode} AND b.total - b.used >= ${amount}
      AND s.id = ${claims.sessionId} AND s.ended_at IS NULL AND s.expires_at > ${ctx.now}
      AND u.deleted_at IS NULL
    ON CONFLICT (ref) DO NOTHING
  `)
}

/** One notice for each total that runs low: its id is made of both, so that it is kept once. */
function noteLowTokens(ctx: Context, userId: string) {
  return ctx.db.run(sql`
    INSERT INTO ${accountEvents} (id, user_id, kind, detail, created_at)
    SELECT 'tokens_low:' || b.user_id || ':' || b.mode || ':' || b.total, b.user_id, 'tokens_low',
           json_object('left', b.total - b.used), ${ctx.now}
    FROM balances b
    WHERE b.user_id = ${userId} AND b.mode = ${ctx.mode} AND b.total > 0
      AND (b.total - b.used) * 100 < b.total * ${LOW_SHARE_PERCENT}
    ON CONFLICT (id) DO NOTHING
  `)
}
