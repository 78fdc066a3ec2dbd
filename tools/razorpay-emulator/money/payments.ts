import { z } from 'zod'
import { badRequest, unknownId } from '../core/errors.ts'
import type { PaymentEntity } from '../core/entity.ts'
import type { OrderRecord, PaymentRecord } from '../core/state.ts'
import type { World } from '../core/world.ts'
import { nowSeconds, scheduleAt } from '../core/world.ts'
import { emit } from '../webhook/emit.ts'
import type { Collection } from './collection.ts'
import { collection, page } from './collection.ts'
import { failureError, failureOf } from './failure.ts'
import { Amount, parseInput } from './input.ts'
import { getOrder } from './orders.ts'
import { issueRefund } from './refunds.ts'

const captureStep = { step: 'payment_capture' }

const noError = {
  error_code: null,
  error_description: null,
  error_source: null,
  error_step: null,
  error_reason: null,
} as const

/** The transitions of a payment. `failed` is not final: banks answer late. */
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

/**
 * Authorizes a payment that the bank accepted. Captures it if its order asks for that, unless `capture` is false; a
 * second payment on a paid order is refunded at once.
 */
export function authorizePayment(
  world: World,
  { entity }: PaymentRecord,
  { capture = true } = {},
): void {
  const order = getOrder(world, entity.order_id)
  const isLate = entity.status === 'failed'
  move(entity, 'authorized')
  Object.assign(entity, noError)
  if (isLate) entity.late_authorized = true
  emit(world, 'payment.authorized', { payment: entity })
  if (order.entity.status === 'paid') {
    autoRefund(world, entity)
    return
  }
  const ageMinutes = (nowSeconds(world) - entity.created_at) / 60
  if (capture && ageMinutes <= order.captureWithinMinutes) {
    capturePayment(world, order, entity)
    return
  }
  scheduleAt(world, world.clock.now() + order.refundAfterMinutes * 60_000, {
    kind: 'auto-refund',
    paymentId: entity.id,
  })
}

/** Captures a payment. The order stays paid for good. */
function capturePayment(world: World, order: OrderRecord, entity: PaymentEntity): void {
  move(entity, 'captured')
  entity.captured = true
  // 2 % in India and 3 % abroad, with 18 % tax on the fee. Real fees depend on the contract.
  const fee = Math.round(entity.amount * (entity.currency === 'INR' ? 0.02 : 0.03))
  entity.tax = Math.round(fee * 0.18)
  entity.fee = fee + entity.tax
  order.entity.amount_paid = entity.amount
  order.entity.amount_due = Math.max(0, order.entity.amount - entity.amount)
  order.entity.status = 'paid'
  emit(world, 'payment.captured', { payment: entity })
  emit(world, 'order.paid', { payment: entity, order: order.entity })
  if (order.linkId !== null) markLinkPaid(world, order, entity)
}

function markLinkPaid(world: World, order: OrderRecord, payment: PaymentEntity): void {
  const link = world.state.links[order.linkId ?? '']?.entity
  if (!link) return
  const { id: payment_id, amount, method, status, created_at } = payment
  link.status = 'paid'
  link.amount_paid = amount
  link.updated_at = nowSeconds(world)
  link.payments = [{ payment_id, amount, method, status, created_at }]
  const payment_link = { ...link, order_id: order.entity.id }
  emit(world, 'payment_link.paid', { payment_link, order: order.entity, payment })
}

/** Fails a payment that the bank declined or did not answer. */
export function failPayment(world: World, { entity }: PaymentRecord, reason: string): void {
  const failure = failureOf(reason)
  move(entity, 'failed')
  entity.error_code = failure.code
  entity.error_description = failure.description
  entity.error_source = failure.source
  entity.error_step = failure.step
  entity.error_reason = failure.reason
  emit(world, 'payment.failed', { payment: entity })
}

/** Razorpay refunds a payment that nobody captured. Its `captured` stays false, which tells it from other refunds. */
export function autoRefund(world: World, entity: PaymentEntity): void {
  if (entity.status === 'authorized') issueRefund(world, entity, { amount: entity.amount })
}

/** The payment of an id. Throws the error that Razorpay gives for every id it does not know. */
export function getPayment(world: World, id: string): PaymentRecord {
  const record = world.state.payments[id]
  if (!record) throw unknownId()
  return record
}

/** `GET /v1/payments`: newest first. */
export function listPayments(world: World, query: URLSearchParams): Collection<PaymentEntity> {
  const listed = Object.values(world.state.payments).map((record) => record.entity)
  return collection(page(listed, query))
}

const CaptureInput = z.object({ amount: Amount, currency: z.string().optional() })

/** `POST /v1/payments/:id/capture`: only an authorised payment, only the whole amount. */
export function captureOnRequest(world: World, id: string, body: unknown): PaymentEntity {
  const { entity } = getPayment(world, id)
  const order = getOrder(world, entity.order_id)
  if (entity.captured) throw badRequest('This payment has already been captured', captureStep)
  if (entity.status !== 'authorized') {
    throw badRequest(
      'Only payments which have been authorized and not yet captured can be captured',
      captureStep,
    )
  }
  const { amount, currency = entity.currency } = parseInput(CaptureInput, body)
  if (amount !== entity.amount || currency !== entity.currency) {
    throw badRequest('Capture amount must be equal to the amount authorized', {
      ...captureStep,
      field: 'amount',
    })
  }
  if (order.entity.status === 'paid') throw failureError('order_already_paid')
  capturePayment(world, order, entity)
  return entity
}
