import { badRequest } from '../api-error.ts'
import { getPayment } from '../payment/read-payments.ts'
import type { DisputeEntity } from '../state/entity.ts'
import { emit } from '../webhook/emit.ts'
import type { World } from '../world.ts'
import { newId, nowSeconds } from '../world.ts'

const answerWithinSeconds = 7 * 24 * 3600

export type DisputePhase = 'created' | 'under_review' | 'won' | 'lost' | 'closed'

function openDispute(world: World, paymentId: string, amount: number | undefined): DisputeEntity {
  const { entity } = getPayment(world, paymentId)
  if (!entity.captured) throw badRequest('Only a captured payment can be disputed')
  const now = nowSeconds(world)
  const dispute: DisputeEntity = {
    id: newId(world, 'disp_'),
    entity: 'dispute',
    payment_id: paymentId,
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
 * Takes a dispute about a payment one phase on and tells of it. A phase after `created` opens one first, silently,
 * when there is none, so that events that arrive alone can be tried.
 */
export function moveDispute(
  world: World,
  paymentId: string,
  phase: DisputePhase,
  amount?: number,
): DisputeEntity {
  const open = findOpen(world, paymentId)
  if (phase === 'created' && open) throw badRequest('The payment is disputed already')
  const dispute = open ?? openDispute(world, paymentId, amount)
  dispute.status = phase === 'created' ? 'open' : phase
  if (phase === 'lost') dispute.amount_deducted = dispute.amount
  const payment = getPayment(world, paymentId).entity
  emit(world, `payment.dispute.${phase}`, { payment, dispute })
  return dispute
}
