import { badRequest } from '../core/errors.ts'
import type { DisputeEntity, PaymentEntity } from '../core/entity.ts'
import type { World } from '../core/world.ts'
import { newId, nowSeconds } from '../core/world.ts'
import { emit } from '../webhook/emit.ts'

const answerWithinSeconds = 7 * 24 * 3600

type DisputePhase = 'created' | 'under_review' | 'won' | 'lost' | 'closed'

function openDispute(
  world: World,
  entity: PaymentEntity,
  amount: number | undefined,
): DisputeEntity {
  if (!entity.captured) throw badRequest('Only a captured payment can be disputed')
  const now = nowSeconds(world)
  const dispute: DisputeEntity = {
    id: newId(world, 'disp_'),
    entity: 'dispute',
    payment_id: entity.id,
    amount: Math.min(amount ?? entity.amount, entity.amount),
    currency: entity.currency,
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

function findOpen(world: World, paymentId: string): DisputeEntity | undefined {
  return Object.values(world.state.disputes).find(
    (one) => one.payment_id === paymentId && ['open', 'under_review'].includes(one.status),
  )
}

/**
 * Moves the dispute about a payment to a phase and sends the event. Where there is no dispute yet, a later phase than
 * `created` opens one without an event, so that a test can see what happens when the first event is lost.
 */
export function moveDispute(
  world: World,
  payment: PaymentEntity,
  phase: DisputePhase,
  amount?: number,
): DisputeEntity {
  const open = findOpen(world, payment.id)
  if (phase === 'created' && open) throw badRequest('The payment is disputed already')
  const dispute = open ?? openDispute(world, payment, amount)
  dispute.status = phase === 'created' ? 'open' : phase
  if (phase === 'lost') dispute.amount_deducted = dispute.amount
  emit(world, `payment.dispute.${phase}`, { payment, dispute })
  return dispute
}
