import type { Answer } from './visitor.ts'

/**
 * Database round trips of the calls that need more than a session and a body: each is held by the test
 * of what it belongs to. The others stand in tests/api/round-trips.test.ts.
 */
export const TRIPS_OF_JOURNEYS = {
  googleStart: 0,
  googleCallback: 2,
  googleFinish: 2,
  verifyPayment: 2,
  activateTokenPurchase: 2,
  activateOrderPublic: 2,
  activateSubscriptionImmediate: 2,
  paymentLinkCallback: 2,
  checkoutCallback: 2,
  razorpayWebhook: 2,
} as const

/** What an answer says it cost. */
export function tripsOf({ headers }: Answer): number {
  const [, trips] = /trips=(\d+)/.exec(headers.get('Server-Timing') ?? '') ?? []
  return Number(trips)
}
