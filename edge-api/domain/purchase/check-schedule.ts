import { days, hours, minutes } from '../time.ts'

/** For this long after a run claimed a purchase for a check, no other run checks it. */
export const CLAIM_MS = minutes(5)

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

/** The next check after `now`, or null when the last one is past. Instants in milliseconds UTC. */
export function nextCheckAfter(now: number, createdAt: number): number | null {
  const step = CHECKS_MS.find((afterMs) => createdAt + afterMs > now)
  return step === undefined ? null : createdAt + step
}
