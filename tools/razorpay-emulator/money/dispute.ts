import { z } from 'zod'
import { badRequest, unknownId } from '../core/errors.ts'
import type { PaymentEntity, DisputeEntity } from '../core/entity.ts'
import { DisputePhase } from '../core/entity.ts'
import type { World } from '../core/world.ts'
import { newId, nowSeconds } from '../core/world.ts'
import { emit } from '../webhook/emit.ts'
import type { Collection } from './collection.ts'
import { collection, page } from './collection.ts'
import { issueRefund } from './refunds.ts'

const answerWithinSeconds = 7 * 24 * 3600

/** A change of a payment's dispute. Fields that are left out stay as they are, or get their usual value in a new dispute. */
export const DisputeMove = z.strictObject({
  event: z.enum([
    'created',
    'action_required',
    'under_review',
    'won',
    'lost',
    'closed',
    'reopened',
    'accepted',
  ]),
  phase: DisputePhase.optional(),
  amount: z.int().min(1).optional(),
  currency: z.string().length(3).optional(),
  respond_by: z.int().optional(),
})
type DisputeMove = z.infer<typeof DisputeMove>
type DisputeEvent = DisputeMove['event']

const statusAfter: Record<DisputeEvent, DisputeEntity['status']> = {
  created: 'open',
  action_required: 'open',
  under_review: 'under_review',
  won: 'won',
  lost: 'lost',
  closed: 'closed',
  reopened: 'open',
  accepted: 'lost',
}

/** Razorpay has no event of its own for a dispute that comes back or that the merchant accepts: our assumption. */
const sentAs: Partial<Record<DisputeEvent, DisputeEvent>> = {
  reopened: 'created',
  accepted: 'lost',
}

function openDispute(world: World, payment: PaymentEntity, move: DisputeMove): DisputeEntity {
  if (!payment.captured) throw badRequest('Only a captured payment can be disputed')
  const now = nowSeconds(world)
  const currency = move.currency ?? payment.currency
  const most = currency === payment.currency ? payment.amount : Number.MAX_SAFE_INTEGER
  const amount = Math.min(move.amount ?? payment.amount, most)
  const dispute: DisputeEntity = {
    id: newId(world, 'disp_'),
    entity: 'dispute',
    payment_id: payment.id,
    amount,
    currency,
    amount_deducted: 0,
    reason_code: 'goods_or_services_not_received_or_partially_received',
    respond_by: now + answerWithinSeconds,
    status: 'open',
    phase: 'chargeback',
    created_at: now,
  }
  world.state.disputes[dispute.id] = dispute
  return dispute
}

/** The dispute that an event is about: the newest open one, or the newest of all when it is opened again. */
function findDispute(
  { state }: World,
  paymentId: string,
  event: DisputeEvent,
): DisputeEntity | undefined {
  return Object.values(state.disputes).findLast(
    ({ payment_id, status }) =>
      payment_id === paymentId &&
      (event === 'reopened' || status === 'open' || status === 'under_review'),
  )
}

/**
 * Moves the dispute about a payment and sends the event. Where there is no dispute yet, a later event than `created`
 * opens one without an event, so that a test can see what happens when the first event is lost.
 */
export function moveDispute(
  world: World,
  payment: PaymentEntity,
  move: DisputeMove,
): DisputeEntity {
  const { event, phase, respond_by } = move
  const known = findDispute(world, payment.id, event)
  if (event === 'created' && known) throw badRequest('The payment is disputed already')
  const dispute = known ?? openDispute(world, payment, move)
  dispute.status = statusAfter[event]
  dispute.phase = phase ?? (event === 'reopened' ? 'pre_arbitration' : dispute.phase)
  dispute.respond_by = respond_by ?? dispute.respond_by
  dispute.amount_deducted = dispute.status === 'lost' ? dispute.amount : 0
  emit(world, `payment.dispute.${sentAs[event] ?? event}`, { payment, dispute })
  // For a fraud, the merchant makes the refund; for any other accepted dispute, Razorpay does.
  if (event === 'accepted' && dispute.phase !== 'fraud') refundDispute(world, payment, dispute)
  return dispute
}

function refundDispute(world: World, payment: PaymentEntity, dispute: DisputeEntity): void {
  const left = payment.amount - payment.amount_refunded
  const amount = dispute.currency === payment.currency ? Math.min(dispute.amount, left) : left
  if (amount > 0) issueRefund(world, payment, { amount })
}

/** The dispute of an id. Throws the error that Razorpay gives for every id it does not know. */
export function getDispute({ state }: World, id: string): DisputeEntity {
  const dispute = state.disputes[id]
  if (!dispute) throw unknownId()
  return dispute
}

/** `GET /v1/disputes`: a page of disputes, newest first. */
export function listDisputes({ state }: World, query: URLSearchParams): Collection<DisputeEntity> {
  return collection(page(Object.values(state.disputes), query))
}
