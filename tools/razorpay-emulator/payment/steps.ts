import { signCheckout } from '../signature.ts'
import type { PaymentRecord } from '../state/state.ts'
import type { Step, Triple } from '../state/step.ts'
import type { World } from '../world.ts'
import { failureOf } from './failure.ts'

/** The signed triple of a payment, which proves that it belongs to its order and nothing more. */
export function tripleOf(world: World, record: PaymentRecord): Triple {
  const { id, order_id } = record.entity
  return {
    razorpay_payment_id: id,
    razorpay_order_id: order_id,
    razorpay_signature: signCheckout(order_id, id, world.config.keySecret),
  }
}

export function successStep(world: World, record: PaymentRecord): Step {
  return { type: 'success', triple: tripleOf(world, record), times: 1, delayMs: 0 }
}

export function failedStep(record: PaymentRecord): Step {
  const { id, order_id, error_reason } = record.entity
  const error = failureOf(error_reason ?? 'payment_failed')
  return { type: 'failed', error: { ...error, metadata: { order_id, payment_id: id } } }
}
