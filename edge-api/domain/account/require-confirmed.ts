import { CONFIRMED_MINUTES, FACTOR } from '../../../src/contract/factor.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../refusal.ts'
import { minutes } from '../time.ts'
import type { Account } from './account-query.ts'

export const CONFIRMED_MS = minutes(CONFIRMED_MINUTES)

/**
 * STEP_UP_REQUIRED unless the user of this session proved less than ten minutes ago who they are, by signing in or by
 * `stepUp` (docs/decisions/0062-two-step-sign-in.md).
 */
export function requireConfirmed({ now }: Context, { session }: Account): void {
  const { confirmedAt } = session
  if (confirmedAt === null || confirmedAt <= now - CONFIRMED_MS) {
    throw new Refusal('STEP_UP_REQUIRED', FACTOR.stepUp)
  }
}
