import { z } from 'zod'
import { badRequest, unknownId } from '../core/errors.ts'
import type { Notes, PaymentEntity, RefundEntity } from '../core/entity.ts'
import type { World } from '../core/world.ts'
import { newId, nextNumber, nowSeconds } from '../core/world.ts'
import { emit } from '../webhook/emit.ts'
import { collection } from './collection.ts'
import { Amount, NotesInput, parseInput, text } from './input.ts'

interface NewRefund {
  amount: number
  speed?: 'normal' | 'optimum'
  notes?: Notes
  receipt?: string | null | undefined
  idempotencyKey?: string | null
  requestBody?: string
}

/** Adds to the refunded amount. A failed refund passes its amount as negative. */
function countRefund(payment: PaymentEntity, amount: number): void {
  payment.amount_refunded = Math.max(0, payment.amount_refunded + amount)
  const isFull = payment.amount_refunded >= payment.amount
  payment.refund_status = isFull ? 'full' : payment.amount_refunded > 0 ? 'partial' : null
  if (isFull) payment.status = 'refunded'
  else if (payment.status === 'refunded') {
    payment.status = payment.captured ? 'captured' : 'authorized'
  }
}

/** Refunds an amount. The caller has checked that this much is left. */
export function issueRefund(world: World, payment: PaymentEntity, wanted: NewRefund): RefundEntity {
  const entity: RefundEntity = {
    id: newId(world, 'rfnd_'),
    entity: 'refund',
    amount: wanted.amount,
    currency: payment.currency,
    payment_id: payment.id,
    notes: wanted.notes ?? [],
    receipt: wanted.receipt ?? null,
    acquirer_data: { arn: String(nextNumber(world)).padStart(12, '0') },
    created_at: nowSeconds(world),
    batch_id: null,
    status: 'processed',
    speed_processed: 'normal',
    speed_requested: wanted.speed ?? 'normal',
  }
  const { idempotencyKey = null, requestBody = '' } = wanted
  world.state.refunds[entity.id] = { entity, idempotencyKey, requestBody }
  countRefund(payment, wanted.amount)
  emit(world, 'refund.created', { refund: entity, payment })
  emit(world, 'refund.processed', { refund: entity, payment })
  return entity
}

/** Lets a refund fail after all: the payment counts its amount as not refunded again. */
export function failRefund(world: World, refund: RefundEntity): void {
  const payment = world.state.payments[refund.payment_id]?.entity
  if (!payment || refund.status === 'failed') return
  refund.status = 'failed'
  countRefund(payment, -refund.amount)
  emit(world, 'refund.failed', { refund, payment })
}

/** The earlier refund with the same key. Refuses the same key with another body. */
function findRepeat(world: World, key: string, requestBody: string): RefundEntity | undefined {
  if (!/^[A-Za-z0-9_-]{10,}$/.test(key)) {
    throw badRequest('The refund idempotency key is not valid.')
  }
  const first = Object.values(world.state.refunds).find((one) => one.idempotencyKey === key)
  if (first && first.requestBody !== requestBody) {
    throw badRequest('Different request body sent for the same Refund Idempotency key.')
  }
  return first?.entity
}

const RefundInput = z.object({
  amount: Amount.min(1, 'The amount must be at least 1.').optional(),
  speed: z.enum(['normal', 'optimum']).default('normal'),
  notes: NotesInput,
  receipt: text('receipt', 40),
})

/** `POST /v1/payments/:id/refund`: captured payments only. Parts may add up to the whole. */
export function refundOnRequest(
  world: World,
  payment: PaymentEntity,
  body: unknown,
  idempotencyKey: string | null = null,
): RefundEntity {
  const requestBody = JSON.stringify([payment.id, body])
  const repeat = idempotencyKey === null ? null : findRepeat(world, idempotencyKey, requestBody)
  if (repeat) return repeat
  if (!payment.captured) {
    throw badRequest('The payment status should be captured for action to be taken')
  }
  const input = parseInput(RefundInput, body)
  const left = payment.amount - payment.amount_refunded
  if (left <= 0) throw badRequest('The payment has been fully refunded already')
  const amount = input.amount ?? left
  if (amount > left) {
    throw badRequest('The total refund amount is greater than the refund payment amount', {
      field: 'amount',
    })
  }
  return issueRefund(world, payment, { ...input, amount, idempotencyKey, requestBody })
}

/** The refund of an id. Throws the error that Razorpay gives for every id it does not know. */
export function getRefund(world: World, id: string): RefundEntity {
  const record = world.state.refunds[id]
  if (!record) throw unknownId()
  return record.entity
}

export function refundsOfPayment(world: World, paymentId: string) {
  const refunds = Object.values(world.state.refunds)
    .map((record) => record.entity)
    .filter((refund) => refund.payment_id === paymentId)
  return collection(refunds.reverse())
}
