import type { User } from '../../contract/account.ts'
import type { UsageDay } from '../../contract/usage.ts'
import { dayAfter } from '../../lib/dates.ts'
import { paceOf } from '../../lib/pace.ts'

export interface Usage {
  days: readonly UsageDay[]
  newcomer: { isTrialOn: boolean; hasDesktopApp: boolean }
}

interface Account extends Pick<User, 'isEmailVerified' | 'tokens'> {
  subscription: Pick<User['subscription'], 'status'>
}

/** The user's next step, or a hint when there is none. `wait`: it depends on the usage, which has not loaded. */
export type NextStep =
  | { kind: 'used-up' | 'wait' | 'get-app' | 'ask' | 'idle' | 'begun' }
  | { kind: 'runs-out-today' }
  /** `needsApp`: there are tokens left, and no app to use them in. */
  | { kind: 'refunded'; needsApp: boolean }
  /** `isTrialOn`: whether the server said that it gives trial tokens. */
  | { kind: 'verify' | 'no-trial'; isTrialOn: boolean }
  | { kind: 'lasts' | 'runs-out'; lastDay: string }

/** Tokens that last no longer than this many days call for more. */
const SOON_DAYS = 14

/** What helps this user most, by their account and the last 30 days; null while those load. */
export function nextStepOf(user: Account, usage: Usage | null): NextStep {
  const { tokens, subscription } = user
  const left = Math.max(0, tokens.total - tokens.used)
  if (subscription.status === 'past_due') {
    const hasApp = usage?.newcomer.hasDesktopApp ?? tokens.used > 0
    return { kind: 'refunded', needsApp: left > 0 && !hasApp }
  }
  const isTrialOn = usage?.newcomer.isTrialOn ?? false
  if (!user.isEmailVerified) return { kind: 'verify', isTrialOn }
  if (tokens.total === 0 && usage !== null) return { kind: 'no-trial', isTrialOn }
  if (left === 0 && tokens.total > 0) return { kind: 'used-up' }
  if (usage === null) return { kind: 'wait' }
  if (tokens.used === 0) return { kind: usage.newcomer.hasDesktopApp ? 'ask' : 'get-app' }
  const { average, lastDay } = paceOf(usage.days, left)
  if (average === 0) return { kind: 'idle' }
  const today = usage.days.at(-1)
  if (lastDay === null || today === undefined) return { kind: 'begun' }
  if (lastDay === today.day) return { kind: 'runs-out-today' }
  const isSoon = lastDay <= dayAfter(today.day, SOON_DAYS)
  return { kind: isSoon ? 'runs-out' : 'lasts', lastDay }
}
