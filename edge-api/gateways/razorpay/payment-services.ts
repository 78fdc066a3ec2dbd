import type { MoneyMode } from '../../domain/context.ts'
import type { PaymentGateway } from '../../domain/purchase/payment-gateway.ts'
import { unavailableGateway } from './unavailable-gateway.ts'

export interface PaymentEnv {
  ENVIRONMENT: 'production' | 'development' | 'test' | 'local'
  RAZORPAY_KEY_ID?: string | undefined
  RAZORPAY_KEY_SECRET?: string | undefined
  RAZORPAY_WEBHOOK_SECRETS?: string | undefined
  RAZORPAY_BASE_URL?: string | undefined
  RAZORPAY_CHECKOUT_URL?: string | undefined
}

interface PaymentServices {
  payments: PaymentGateway
  mode: MoneyMode
}

/** The gateway and the kind of money it moves; a gateway that refuses everything when misconfigured. */
export function paymentServices(env: PaymentEnv): PaymentServices {
  const mode = env.ENVIRONMENT === 'production' ? 'live' : 'emulator'
  return { payments: unavailableGateway, mode }
}
