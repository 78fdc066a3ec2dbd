import { days, hours, minutes } from '../time.ts'

/** After this long nobody is expected to pay. Soft: money that comes later still counts. */
export const EXPIRES_AFTER_MS = hours(96)

/**
 * When a purchase is looked at after it was made: often at first, then until every
 * wording of Razorpay's late authorisation (3 and 5 days) is over.
 */
const LOOKS_MS = [
  ...[1, 3, 8, 15, 30].map(minutes),
  ...[1, 3, 6, 12, 24, 48, 72, 96].map(hours),
  days(5) + hours(2),
]

/** The next look after `now`, or null when the last one is past. Instants in milliseconds UTC. */
export function nextLook(createdAt: number, now: number): number | null {
  const step = LOOKS_MS.find((afterMs) => createdAt + afterMs > now)
  return step === undefined ? null : createdAt + step
}
