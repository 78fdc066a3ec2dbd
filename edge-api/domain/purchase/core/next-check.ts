import { days, hours, minutes } from '../../time.ts'
import type { At, State } from './state.ts'

/** After this long an unpaid purchase expires. Money that arrives later still counts. */
export const EXPIRES_AFTER_MS = hours(96)

/**
 * When a purchase is checked, counted from its creation: often at first, and the last time after every window in which
 * Razorpay's documents say that a late authorization can still arrive (3 or 5 days).
 */
const CHECKS_MS = [
  ...[1, 3, 8, 15, 30].map(minutes),
  ...[1, 3, 6, 12, 24, 48, 72, 96].map(hours),
  days(5) + hours(2),
]

/** The next check after `now`, or null when the last one is past. */
export function nextCheckAfter(now: number, createdAt: number): number | null {
  const step = CHECKS_MS.find((afterMs) => createdAt + afterMs > now)
  return step === undefined ? null : createdAt + step
}

/** A payment that began before its link ended may finish after. */
const LINK_GRACE_MS = hours(1)
/** An authorized payment that Razorpay does not capture is checked after this long, then less often. */
const CAPTURE_WAIT_MS = minutes(2)
const CAPTURE_WAIT_MAX_MS = hours(3)

/**
 * When the reconcile job asks Razorpay next; null when nothing is left to learn. A purchase that was paid on its order is
 * checked for as long as its link can be paid, too, and once after that. Only the job's own check moves a check to later or ends
 * the checks: a webhook reports one payment and says nothing about another on the link.
 */
export function nextCheckOf(state: State, { now, isReconcile }: At): number | null {
  const { status, linkExpiresAt, nextCheckAt } = state.purchase
  if (['paid', 'refunded', 'review'].includes(status)) {
    if (linkExpiresAt === null) return null
    if (linkExpiresAt + LINK_GRACE_MS <= now) return isReconcile ? null : nextCheckAt
  }
  const planned = plannedCheck(state, now)
  const isSooner = nextCheckAt !== null && nextCheckAt < (planned ?? Infinity)
  return isSooner && !isReconcile ? nextCheckAt : planned
}

function plannedCheck({ purchase, payments }: State, now: number): number | null {
  const next = nextCheckAfter(now, purchase.createdAt)
  if (purchase.status !== 'authorized') return next
  const authorized = payments.filter((payment) => payment.status === 'authorized')
  const waited = now - Math.max(...authorized.map(({ updatedAt }) => updatedAt))
  const wait = Math.min(Math.max(waited, CAPTURE_WAIT_MS), CAPTURE_WAIT_MAX_MS)
  return Math.min(next ?? now + CAPTURE_WAIT_MAX_MS, now + wait)
}
