import { SERVER } from '../../../src/contract/messages.ts'
import type {
  useTokensBatchEndpoint,
  useTokensEndpoint,
} from '../../../src/contract/report-usage.ts'
import { Refusal } from '../refusal.ts'
import type { SessionHandler } from '../handler.ts'
import { takeTokens } from './take-tokens.ts'

/**
 * Uses tokens in one batch, in which one conditional statement takes them or does not. INSUFFICIENT_TOKENS when fewer
 * are left; then nothing is used. With an idempotency key a repetition uses them once; the same key with another amount
 * is IDEMPOTENCY_KEY_REUSED. After the answer, a user with few tokens left is notified once.
 */
export const useTokens: SessionHandler<typeof useTokensEndpoint> = async (ctx, call) => {
  const idempotencyKey = call.idempotencyKey ?? ctx.newId('use')
  const { outcomes, tokens } = await takeTokens(ctx, call.claims, [
    { idempotencyKey, ...call.body },
  ])
  const [outcome] = outcomes
  if (outcome === 'key_reused') throw new Refusal('IDEMPOTENCY_KEY_REUSED', SERVER.keyReused)
  if (outcome !== 'used') throw new Refusal('INSUFFICIENT_TOKENS', SERVER.insufficientTokens)
  return { success: true, used: call.body.amount, tokens }
}

/**
 * Uses tokens for a queue of reports, as `useTokens` does for one. Each key counts once, even if it is repeated in this
 * call or another. A use that finds too few tokens at its turn takes none; a smaller one after it may fit. If the call
 * fails, nothing has happened.
 */
export const useTokensBatch: SessionHandler<typeof useTokensBatchEndpoint> = async (ctx, call) => {
  const { uses } = call.body
  const { outcomes, tokens } = await takeTokens(ctx, call.claims, uses)
  const results = uses.flatMap(({ idempotencyKey }, place) => {
    const outcome = outcomes[place]
    return outcome === undefined ? [] : [{ idempotencyKey, outcome }]
  })
  return { success: true, results, tokens }
}
