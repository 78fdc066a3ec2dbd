import { applyBrowserFault } from '../fault/browser.ts'
import { runFaultyPayment } from '../fault/faulty-payment.ts'
import { pickBrowser, pickPayment } from '../fault/pick.ts'
import { takeFault } from '../fault/take.ts'
import type { PaymentRecord } from '../state/state.ts'
import type { Step } from '../state/step.ts'
import { getOrder } from '../order/read-orders.ts'
import type { World } from '../world.ts'
import { authorizeOnly } from './authorize-only.ts'
import { authorizePayment, canMove, failPayment } from './moves.ts'
import { failedStep, successStep } from './steps.ts'

export type Outcome =
  { kind: 'success' } | { kind: 'authorize_only' } | { kind: 'failure'; reason: string }

function runPlainly(world: World, record: PaymentRecord, outcome: Outcome): Step[] {
  if (outcome.kind === 'failure') {
    failPayment(world, record, outcome.reason)
    return [failedStep(record)]
  }
  if (outcome.kind === 'authorize_only') authorizeOnly(world, record)
  else authorizePayment(world, record)
  return [successStep(world, record)]
}

/** `close_before_pay` strikes earlier, before there is a payment. */
const pickAfterPaying: typeof pickBrowser = (action) =>
  action.type === 'close_before_pay' ? null : pickBrowser(action)

/**
 * The bank's answer to a payment: moves it on and says what the checkout window does next. Rules for payments
 * and browsers strike here. An attempt that is over already keeps its first answer.
 */
export function completeAttempt(world: World, record: PaymentRecord, outcome: Outcome): Step[] {
  if (record.steps) return record.steps
  if (!canMove(record.entity, 'failed')) return []
  const { order_id } = record.entity
  const { receipt } = getOrder(world, order_id).entity
  const fault = takeFault(world, { order_id, receipt }, pickPayment)
  const steps = fault ? runFaultyPayment(world, record, fault) : runPlainly(world, record, outcome)
  const twist = takeFault(world, { order_id, receipt }, pickAfterPaying)
  record.steps = twist ? applyBrowserFault(world, record, steps, twist) : steps
  return record.steps
}
