import type { PaymentGateway } from '../../edge-api/domain/ports/payments.ts'
import type { Pacing } from '../../edge-api/gateways/razorpay/call.ts'
import { razorpayGateway } from '../../edge-api/gateways/razorpay/razorpay-gateway.ts'
import {
  type RazorpayEnv,
  resolveRazorpay,
} from '../../edge-api/gateways/razorpay/resolve-razorpay.ts'
import type { Log } from '../../edge-api/domain/ports/log.ts'

/** The site's gateway to an emulator at this address. It does not pause, and its alerts go nowhere, unless told. */
export function gatewayToEmulator(
  url: string,
  secrets: RazorpayEnv,
  pacing: Partial<Pacing>,
  log: Pick<Log, 'alert'> = { alert: () => undefined },
): PaymentGateway {
  const settings = resolveRazorpay({
    ...secrets,
    ENVIRONMENT: 'local',
    RAZORPAY_BASE_URL: url,
    RAZORPAY_CHECKOUT_URL: `${url}/checkout/v1/checkout.js`,
  })
  const still = { now: Date.now, sleep: () => Promise.resolve(), jitter: () => 0, timeoutMs: 0 }
  return razorpayGateway(settings, { ...still, ...pacing }, log)
}
