import type { SubscriptionStatus } from '../contract/account.ts'
import { findItem } from '../contract/catalogue.ts'

/** The badge of each status. */
export const STATUS_BADGE = {
  active: { tone: 'green', text: 'Active' },
  inactive: { tone: 'gray', text: 'Inactive' },
  past_due: { tone: 'red', text: 'Ended' },
  cancelled: { tone: 'orange', text: 'Cancelled' },
} as const satisfies Record<SubscriptionStatus, { tone: string; text: string }>

export const STATUS_TEXT = {
  active: 'Active.',
  inactive: 'A plan adds tokens for a one-time payment.',
  past_due: 'Your plan has ended.',
  cancelled: 'Your plan was cancelled and has ended.',
} as const satisfies Record<SubscriptionStatus, string>

/** The name of a plan as the catalogue has it. */
export function planName(plan: string | null): string {
  return plan === null ? 'No plan' : (findItem(plan)?.name ?? plan)
}

interface Dates {
  currentPeriodEnd: string | null
  cancelAtPeriodEnd: boolean
  takenBackAt: string | null
}

/** The day that matters about a plan, and what happens on it; null without a plan. */
export function planDay(dates: Dates): { word: string; day: string } | null {
  const { currentPeriodEnd, cancelAtPeriodEnd, takenBackAt } = dates
  if (takenBackAt !== null) return { word: 'Ended on', day: takenBackAt }
  if (currentPeriodEnd === null) return null
  return { word: cancelAtPeriodEnd ? 'Ends on' : 'Runs until', day: currentPeriodEnd }
}
