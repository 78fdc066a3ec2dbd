import type { CallResult } from '../api/call-result.ts'

/**
 * Hands out one Idempotency-Key for a wish: the same again while no answer came, so that a lost answer
 * makes no second order, and a new one after.
 */
export function createIdempotencyKey(newId: () => string) {
  let kept: { wish: string; key: string } | null = null
  return {
    keyFor(wish: string): string {
      if (kept?.wish !== wish) kept = { wish, key: newId() }
      return kept.key
    },
    settle(result: CallResult<unknown>) {
      if (result.ok || result.kind === 'refused') kept = null
    },
  }
}
