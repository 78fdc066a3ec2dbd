import { PURCHASE } from '../../../src/contract/messages.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../refusal.ts'
import { GatewayRefused, GatewayUnavailable } from '../ports/payments.ts'

const RETRY_AFTER_SECONDS = 30

/** Runs a call to Razorpay that must succeed. PAYMENT_PROVIDER_UNAVAILABLE, with this message, when it does not. */
export async function withProvider<Result>(
  ctx: Context,
  call: () => Promise<Result>,
  message: string = PURCHASE.providerUnavailable,
): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof GatewayRefused) {
      ctx.log.alert('the payment provider refused', { reason: error.reason, text: error.message })
    } else if (!(error instanceof GatewayUnavailable)) throw error
    throw new Refusal('PAYMENT_PROVIDER_UNAVAILABLE', message, {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }
}

/** What a call to Razorpay finds; null when it refuses, as it does with an id of another account or mode. */
export async function unlessRefused<Found>(call: Promise<Found>): Promise<Found | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof GatewayRefused) return null
    throw error
  }
}
