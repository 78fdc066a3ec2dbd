import { pickRefund } from '../fault/pick.ts'
import { takeFault } from '../fault/take.ts'
import type { Notes, RefundEntity } from '../state/entity.ts'
import type { PaymentRecord, RefundRecord } from '../state/state.ts'
import { emit } from '../webhook/emit.ts'
import type { World } from '../world.ts'
import { newId, nextNumber, nowSeconds, scheduleAt } from '../world.ts'

export interface RefundRequest {
  amount: number
  speed: 'normal' | 'optimum'
  notes?: Notes
  receipt?: string | null
  idempotencyKey?: string | null
  requestBody?: string
}

/** Adds to what has been given back; never shows less than before. */
function countRefund(record: PaymentRecord, amount: number): void {
  const { entity } = record
  entity.amount_refunded += amount
  const isFull = entity.amount_refunded >= entity.amount
  entity.refund_status = isFull ? 'full' : entity.amount_refunded > 0 ? 'partial' : null
  if (isFull) entity.status = 'refunded'
}

/** Gives money back and tells of it; the caller has checked that there is so much. */
export function issueRefund(
  world: World,
  payment: PaymentRecord,
  request: RefundRequest,
): RefundRecord {
  const fault = takeFault(
    world,
    { order_id: payment.entity.order_id, event: 'refund.created' },
    pickRefund,
  )
  const entity: RefundEntity = {
    id: newId(world, 'rfnd_'),
    entity: 'refund',
    amount: request.amount,
    currency: payment.entity.currency,
    payment_id: payment.entity.id,
    notes: request.notes ?? [],
    receipt: request.receipt ?? null,
    acquirer_data: fault ? { arn: null } : { arn: String(nextNumber(world)).padStart(12, '0') },
    created_at: nowSeconds(world),
    batch_id: null,
    status: fault ? 'pending' : 'processed',
    speed_processed: 'normal',
    speed_requested: request.speed,
  }
  const record: RefundRecord = {
    entity,
    idempotencyKey: request.idempotencyKey ?? null,
    requestBody: request.requestBody ?? '',
  }
  world.state.refunds[entity.id] = record
  countRefund(payment, request.amount)
  emit(world, 'refund.created', { refund: entity, payment: payment.entity })
  if (fault) {
    const failed = fault.then === 'failed'
    const at = world.clock.now() + fault.seconds * 1000
    scheduleAt(world, at, { kind: 'finish-refund', refundId: entity.id, failed })
  } else {
    emit(world, 'refund.processed', { refund: entity, payment: payment.entity })
  }
  return record
}

/** Ends a refund that was pending; a failed one gives the money back to the merchant. */
export function finishRefund(world: World, refund: RefundRecord, failed: boolean): void {
  const payment = world.state.payments[refund.entity.payment_id]
  if (!payment || refund.entity.status === 'failed') return
  if (!failed && refund.entity.status === 'processed') return
  refund.entity.status = failed ? 'failed' : 'processed'
  if (failed) undoRefund(payment, refund.entity.amount)
  const event = failed ? 'refund.failed' : 'refund.processed'
  emit(world, event, { refund: refund.entity, payment: payment.entity })
}

function undoRefund(record: PaymentRecord, amount: number): void {
  const { entity } = record
  entity.amount_refunded = Math.max(0, entity.amount_refunded - amount)
  entity.refund_status = entity.amount_refunded > 0 ? 'partial' : null
  if (entity.status === 'refunded') entity.status = entity.captured ? 'captured' : 'authorized'
}
