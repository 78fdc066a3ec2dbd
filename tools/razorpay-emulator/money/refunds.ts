import { z } from 'zod'
import { badRequest, unknownId } from '../core/errors.ts'
import type { Notes, PaymentEntity, RefundEntity } from '../core/entity.ts'
import type { World } from '../core/world.ts'
import { newId, nextNumber, nowSeconds } from '../core/world.ts'
import { emit } from '../webhook/emit.ts'
import type { Collection } from './collection.ts'
import { collection, page } from './collection.ts'
import { Amount, NotesInput, parseInput, text } from './input.ts'

interface NewRefund {
  amount: number
  speed?: 'normal' | 'optimum'
  notes?: Notes
  receipt?: string | null | undefined
  idempotencyKey?: string | null
  requestBody?: string
}

/** Adds to the refunded amount. A refund that did not happen passes its amount as negative. */
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
    status: world.state.settings.refundsStayPending ? 'pending' : 'processed',
    speed_processed: 'normal',
    speed_requested: wanted.speed ?? 'normal',
  }
  const { idempotencyKey = null, requestBody = '' } = wanted
  world.state.refunds[entity.id] = { entity, idempotencyKey, requestBody }
  countRefund(payment, wanted.amount)
  emit(world, 'refund.created', { refund: entity, payment })
  if (entity.status === 'processed') emit(world, 'refund.processed', { refund: entity, payment })
  return entity
}

/** The states that may follow: even a processed refund may fail or come back. */
const later: Record<RefundEntity['status'], readonly RefundEntity['status'][]> = {
  pending: ['processed', 'failed', 'reversed'],
  processed: ['failed', 'reversed'],
  failed: [],
  reversed: [],
}

/**
 * Moves a refund on and sends the event. The amount of a refund that failed or was reversed no longer counts as
 * refunded.
 */
export function moveRefund(world: World, refund: RefundEntity, to: RefundEntity['status']): void {
  const payment = world.state.payments[refund.payment_id]?.entity
  if (!payment || !later[refund.status].includes(to)) {
    throw badRequest(`A refund that is ${refund.status} cannot become ${to}`)
  }
  refund.status = to
  if (to !== 'processed') countRefund(payment, -refund.amount)
  emit(world, to === 'failed' ? 'refund.failed' : 'refund.processed', { refund, payment })
}

/** The earlier refund with the same key. Refuses the same key with another body. */
function findRepeat(world: World, key: string, requestBody: string): RefundEntity | undefined {
  if (!/^[A-Za-z0-9_-]{10,}$/.test(key)) {
    throw badRequest('The refund idempotency key is not valid.')
  }
  const first = Object.values(world.state.refunds).find((one) => one.idempotencyKey === key)
  if (first && first.requestBody !== requestBody) {
    throw badRequest(
      'Different request with the same idempotency key has already been processed.',
      { source: 'NA', step: 'NA', reason: 'NA' },
    )
  }
  return first?.entity
}

const RefundInput = z.strictObject({
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
  if (payment.currency === 'INR' && amount < 100) {
    throw badRequest('The amount must be at least INR 1.00', { field: 'amount' })
  }
  if (amount > left) {
    throw badRequest('The refund amount provided is greater than amount captured', {
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

/** `GET /v1/refunds` and `GET /v1/payments/:id/refunds`: a page of refunds, newest first. */
export function listRefunds(
  world: World,
  query: URLSearchParams,
  paymentId?: string,
): Collection<RefundEntity> {
  const refunds = Object.values(world.state.refunds)
    .map((record) => record.entity)
    .filter((refund) => paymentId === undefined || refund.payment_id === paymentId)
  return collection(page(refunds, query))
}
