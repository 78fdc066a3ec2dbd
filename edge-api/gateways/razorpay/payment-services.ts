import type { Log } from '../../domain/ports/log.ts'
import type { PaymentMode, PaymentGateway } from '../../domain/ports/payments.ts'
import { razorpayGateway } from './razorpay-gateway.ts'
import { type RazorpayEnv, RazorpayNotConfigured, resolveRazorpay } from './resolve-razorpay.ts'
import { unavailableGateway } from './unavailable-gateway.ts'

export type PaymentEnv = RazorpayEnv

interface PaymentServices {
  payments: PaymentGateway
  mode: PaymentMode
}

const pacing = {
  sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  jitter: Math.random,
  timeoutMs: 8_000,
}

/**
 * The gateway and the kind of money it moves; a gateway that refuses everything when misconfigured,
 * told to the operator by the name of the variable.
 */
export function paymentServices(env: PaymentEnv, log: Log): PaymentServices {
  try {
    const settings = resolveRazorpay(env)
    return { payments: razorpayGateway(settings, pacing), mode: settings.mode }
  } catch (error) {
    if (!(error instanceof RazorpayNotConfigured)) throw error
    log.alert('payments are not configured', { reason: error.message })
    return { payments: unavailableGateway, mode: modeWithout(env) }
  }
}

/** Whose balances are shown while nothing can be bought. */
function modeWithout({ ENVIRONMENT, RAZORPAY_KEY_ID = '' }: PaymentEnv): PaymentMode {
  const isProduction = !['development', 'test', 'local'].includes(ENVIRONMENT ?? '')
  if (isProduction) return 'live'
  return /^rzp_test_(?!EMU)/.test(RAZORPAY_KEY_ID) ? 'test' : 'emulator'
}
