import type { Answer } from './visitor.ts'

/**
 * Database round trips of the calls that are part of a longer journey, whose test measures each. The other calls are in
 * tests/api/round-trips.test.ts.
 */
export const ROUND_TRIPS_OF_JOURNEYS = {
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

/** The number of database round trips that an answer reports. */
export function roundTripsOf({ headers }: Answer): number {
  const [, roundTrips] = /trips=(\d+)/.exec(headers.get('Server-Timing') ?? '') ?? []
  return Number(roundTrips)
}
