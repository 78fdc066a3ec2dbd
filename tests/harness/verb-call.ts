import type { Claims } from '../../edge-api/domain/session/bearer.ts'

/** The parts of a verb's call that a test does not care about. */
export const NO_INPUT = { params: {}, query: {}, body: {}, idempotencyKey: null } as const

/** A call of a signed-in account without input. */
export function callOf(claims: Claims) {
  return { ...NO_INPUT, claims }
}
