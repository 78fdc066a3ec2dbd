import { getOrder } from '../order/read-orders.ts'
import { autoRefund, authorizePayment, failPayment } from '../payment/moves.ts'
import { authorizeOnly } from '../payment/authorize-only.ts'
import { startAttempt } from '../payment/start-attempt.ts'
import { failedStep, successStep } from '../payment/steps.ts'
import { issueRefund } from '../refund/issue-refund.ts'
import type { PaymentRecord } from '../state/state.ts'
import type { Step } from '../state/step.ts'
import type { World } from '../world.ts'
import { scheduleAt } from '../world.ts'
import type { PaymentAction } from './rule.ts'

/** Fails now, and lets the bank say yes after all some seconds later. */
function failThenAuthorize(world: World, record: PaymentRecord, seconds: number): Step[] {
  failPayment(world, record, 'payment_timed_out')
  const at = world.clock.now() + seconds * 1000
  scheduleAt(world, at, { kind: 'late-authorize', paymentId: record.entity.id })
  return [failedStep(record)]
}

function succeed(world: World, record: PaymentRecord): Step[] {
  authorizePayment(world, record)
  return [successStep(world, record)]
}

/** Runs a payment the way a fault rule wants it; answers what the checkout window does. */
export function runFaultyPayment(
  world: World,
  record: PaymentRecord,
  action: PaymentAction,
): Step[] {
  const { entity } = record
  const order = getOrder(world, entity.order_id)
  switch (action.type) {
    case 'amount_mismatch':
      entity.amount += action.delta
      return succeed(world, record)
    case 'currency_mismatch':
      entity.currency = action.currency ?? (entity.currency === 'INR' ? 'USD' : 'INR')
      return succeed(world, record)
    case 'authorize_only':
      authorizeOnly(world, record)
      return [successStep(world, record)]
    case 'late_authorize':
    case 'failed_then_captured':
      return failThenAuthorize(world, record, action.seconds)
    case 'fail_then_new_payment': {
      failPayment(world, record, 'card_declined')
      const second = startAttempt(world, order, { method: entity.method })
      return [failedStep(record), ...succeed(world, second)]
    }
    case 'stuck_created':
      return [{ type: 'dismiss' }]
    case 'second_payment_on_paid_order': {
      const second = startAttempt(world, order, { method: entity.method })
      const steps = succeed(world, record)
      authorizePayment(world, second)
      return steps
    }
    case 'auto_refund':
      authorizeOnly(world, record)
      autoRefund(world, record)
      return [successStep(world, record)]
    case 'partial_refund': {
      const steps = succeed(world, record)
      const amount = Math.min(action.amount ?? Math.ceil(entity.amount / 2), entity.amount)
      issueRefund(world, record, { amount, speed: 'normal' })
      return steps
    }
  }
}
