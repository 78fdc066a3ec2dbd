// The desktop app's reports. No page calls these, so they are not in the code that browsers load.

import { Tokens } from './account.ts'
import { defineEndpoint, success } from './endpoint.ts'
import {
  IDEMPOTENCY_KEY_MAX,
  USE_BATCH_MAX,
  USE_BATCH_MAX_BYTES,
  USE_TOKENS_DEFAULT,
  USE_TOKENS_MAX,
} from './limits.ts'
import { VALUE } from './field-messages.ts'
import { IdempotencyKey } from './purchase.ts'
import { Instant } from './text.ts'
import { UsageMode } from './usage.ts'
import { z } from './zod.ts'

/**
 * The id of a usage session: one conversation in which the assistant helps, not a session of sign-in. The desktop app chooses
 * it, so that a repeated start is recorded once.
 */
const UsageSessionId = z
  .string(VALUE.sessionId)
  .regex(/^[A-Za-z0-9_-]{8,64}$/)
  .max(64)

export const useTokensEndpoint = defineEndpoint({
  id: 'useTokens',
  method: 'POST',
  path: '/api/subscription/use-tokens',
  access: 'session',
  forApps: true,
  body: z.object({
    amount: z.int().min(1).max(USE_TOKENS_MAX).default(USE_TOKENS_DEFAULT),
    sessionId: UsageSessionId.optional(),
    mode: UsageMode.optional(),
  }),
  success: success({ used: z.int(), tokens: Tokens }),
  errors: ['INSUFFICIENT_TOKENS', 'IDEMPOTENCY_KEY_REUSED'],
  limit: 'usage',
  limitBy: 'session',
  idempotent: true,
})

/** One use, with the key that `useTokens` takes as a header: a use that was reported either way counts once. */
const TokenUse = z.strictObject({
  idempotencyKey: IdempotencyKey,
  amount: z.int().min(1).max(USE_TOKENS_MAX),
  sessionId: UsageSessionId.optional(),
  mode: UsageMode.optional(),
})

export const TokenUseResult = z.object({
  idempotencyKey: z.string().max(IDEMPOTENCY_KEY_MAX),
  /**
   * `used`: counted, now or before. `insufficient_tokens`: too few were left at its turn, nothing was taken, and it may be
   * sent again. `key_reused`: its key was counted with another amount, which stands.
   */
  outcome: z.enum(['used', 'insufficient_tokens', 'key_reused']),
})
export type TokenUseResult = z.infer<typeof TokenUseResult>

/** Takes the uses one after another, each at the time of the call. Answers 200 with a result for each, in the same order. */
export const useTokensBatchEndpoint = defineEndpoint({
  id: 'useTokensBatch',
  method: 'POST',
  path: '/api/subscription/use-tokens/batch',
  access: 'session',
  forApps: true,
  body: z.object({ uses: z.array(TokenUse).min(1).max(USE_BATCH_MAX) }),
  success: success({ results: z.array(TokenUseResult).max(USE_BATCH_MAX), tokens: Tokens }),
  limit: 'usageBatch',
  limitBy: 'session',
  maxBytes: USE_BATCH_MAX_BYTES,
})

export const UsageSession = z.object({
  sessionId: UsageSessionId,
  mode: UsageMode,
  startedAt: Instant,
  endedAt: Instant.nullable(),
  succeeded: z.boolean().nullable(),
  secondsSaved: z.int(),
  tokensUsed: z.int(),
})

export const recordUsageSessionEndpoint = defineEndpoint({
  id: 'recordUsageSession',
  method: 'POST',
  path: '/api/usage/sessions',
  access: 'session',
  forApps: true,
  body: z.discriminatedUnion('event', [
    z.object({ event: z.literal('start'), sessionId: UsageSessionId, mode: UsageMode }),
    z.object({
      event: z.literal('end'),
      sessionId: UsageSessionId,
      /** Whether the user said that the session helped; left out when the app did not ask. */
      succeeded: z.boolean().optional(),
      secondsSaved: z.int().min(0).max(86_400).default(0),
    }),
  ]),
  success: success({ session: UsageSession }),
  errors: ['NOT_FOUND'],
  limit: 'change',
  limitBy: 'session',
})
