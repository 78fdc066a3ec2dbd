import { getOrder } from '../order/read-orders.ts'
import { issueRefund } from '../refund/issue-refund.ts'
import type { PaymentEntity } from '../state/entity.ts'
import type { PaymentRecord } from '../state/state.ts'
import { emit } from '../webhook/emit.ts'
import type { World } from '../world.ts'
import { nowSeconds, scheduleAt } from '../world.ts'
import { emitLinkPaid } from '../link/link-paid.ts'
import { failureOf } from './failure.ts'

const dayMs = 24 * 3600 * 1000

const noError = {
  error_code: null,
  error_description: null,
  error_source: null,
  error_step: null,
  error_reason: null,
} as const

/** From which states a payment may go where. `failed` is not final: banks answer late. */
const allowed: Record<PaymentEntity['status'], readonly PaymentEntity['status'][]> = {
  created: ['authorized', 'failed'],
  failed: ['authorized'],
  authorized: ['captured', 'refunded'],
  captured: ['refunded'],
  refunded: [],
}

export function canMove(payment: PaymentEntity, to: PaymentEntity['status']): boolean {
  return allowed[payment.status].includes(to)
}

function move(payment: PaymentEntity, to: PaymentEntity['status']): void {
  if (!canMove(payment, to)) {
    throw new Error(`Payment ${payment.id} cannot go from ${payment.status} to ${to}`)
  }
  payment.status = to
}

/** The bank said yes. Captures where the order wants that; refunds at once when the order is paid already. */
export function authorizePayment(world: World, record: PaymentRecord): void {
  const { entity } = record
  const order = getOrder(world, entity.order_id)
  const late = entity.status === 'failed'
  move(entity, 'authorized')
  Object.assign(entity, noError)
  if (late) entity.late_authorized = true
  record.authorizedAt = nowSeconds(world)
  emit(world, 'payment.authorized', { payment: entity })
  if (order.entity.status === 'paid') {
    autoRefund(world, record)
    return
  }
  const ageMinutes = (nowSeconds(world) - entity.created_at) / 60
  if (order.capture.mode === 'automatic' && ageMinutes <= order.capture.automaticExpiryMinutes) {
    capturePayment(world, record)
    return
  }
  const windowMs = world.state.settings.refundWindowDays * dayMs
  scheduleAt(world, world.clock.now() + windowMs, { kind: 'auto-refund', paymentId: entity.id })
}

/** 2 % in India and 3 % abroad, with 18 % tax on the fee. Real fees depend on the contract. */
function takeFees(entity: PaymentEntity): void {
  const fee = Math.round(entity.amount * (entity.currency === 'INR' ? 0.02 : 0.03))
  entity.tax = Math.round(fee * 0.18)
  entity.fee = fee + entity.tax
}

/** Takes the money: the payment is captured and its order paid, for good. */
export function capturePayment(world: World, record: PaymentRecord): void {
  const { entity } = record
  const order = getOrder(world, entity.order_id)
  move(entity, 'captured')
  entity.captured = true
  takeFees(entity)
  order.entity.amount_paid = entity.amount
  order.entity.amount_due = Math.max(0, order.entity.amount - entity.amount)
  order.entity.status = 'paid'
  emit(world, 'payment.captured', { payment: entity })
  emit(world, 'order.paid', { payment: entity, order: order.entity })
  emitLinkPaid(world, order, entity)
}

/** The bank said no, or nothing. */
export function failPayment(world: World, record: PaymentRecord, reason: string): void {
  const { entity } = record
  const failure = failureOf(reason)
  move(entity, 'failed')
  entity.error_code = failure.code
  entity.error_description = failure.description
  entity.error_source = failure.source
  entity.error_step = failure.step
  entity.error_reason = failure.reason
  emit(world, 'payment.failed', { payment: entity })
}

/** Razorpay gives an uncaptured payment back by itself; `captured` stays false, by which one tells. */
export function autoRefund(world: World, record: PaymentRecord): void {
  if (record.entity.status !== 'authorized') return
  issueRefund(world, record, { amount: record.entity.amount, speed: 'normal' })
}
