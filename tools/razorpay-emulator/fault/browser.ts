import { tripleOf } from '../payment/steps.ts'
import { failureOf } from '../payment/failure.ts'
import { signCheckout } from '../signature.ts'
import type { PaymentRecord } from '../state/state.ts'
import type { Step } from '../state/step.ts'
import type { World } from '../world.ts'
import type { BrowserAction } from './rule.ts'

type Success = Extract<Step, { type: 'success' }>

function onSuccess(steps: Step[], change: (step: Success) => Step[]): Step[] {
  return steps.flatMap((step) => (step.type === 'success' ? change(step) : [step]))
}

function withSignature(step: Success, signature: string): Step {
  return { ...step, triple: { ...step.triple, razorpay_signature: signature } }
}

/** Changes what the checkout window tells its page, without touching the money. */
export function applyBrowserFault(
  world: World,
  record: PaymentRecord,
  steps: Step[],
  action: BrowserAction,
): Step[] {
  const { id, order_id } = record.entity
  switch (action.type) {
    case 'close_after_pay':
    case 'close_before_pay':
      return onSuccess(steps, () => [{ type: 'dismiss' }])
    case 'handler_delay':
      return onSuccess(steps, (step) => [{ ...step, delayMs: action.ms }])
    case 'handler_twice':
      return onSuccess(steps, (step) => [{ ...step, times: 2 }])
    case 'failed_event_then_handler': {
      const error = {
        ...failureOf('payment_timed_out'),
        metadata: { order_id, payment_id: id },
      }
      return onSuccess(steps, (step) => [{ type: 'failed', error }, step])
    }
    case 'tampered_signature': {
      const { razorpay_signature } = tripleOf(world, record)
      const last = razorpay_signature.endsWith('0') ? '1' : '0'
      return onSuccess(steps, (step) => [
        withSignature(step, razorpay_signature.slice(0, -1) + last),
      ])
    }
    case 'other_order_signature': {
      const other = signCheckout('order_EMUotherOrder0', id, world.config.keySecret)
      return onSuccess(steps, (step) => [withSignature(step, other)])
    }
  }
}
