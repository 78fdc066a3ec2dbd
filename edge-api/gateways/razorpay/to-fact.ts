import type { PaymentFact, TakebackFact } from '../../domain/ports/payments.ts'
import type { DisputeEntity, PaymentEntity, RefundEntity } from './entities.ts'

/** Null for a payment without an order: none of ours is. */
export function toPaymentFact(entity: PaymentEntity): PaymentFact | null {
  if (typeof entity.order_id !== 'string') return null
  const isSentBack = entity.status === 'refunded' && entity.captured !== true
  return {
    paymentId: entity.id,
    razorpayOrderId: entity.order_id,
    amountMinor: entity.amount,
    currency: entity.currency,
    status: statusOf(entity),
    amountRefundedMinor: isSentBack ? entity.amount : (entity.amount_refunded ?? 0),
    method: entity.method ?? null,
    errorReason: entity.error_reason ?? null,
  }
}

/**
 * `status` first: some of Razorpay's samples say `captured: true` beside `authorized` or `failed`.
 * `refunded` without `captured` is money Razorpay sent back before it was ever ours.
 */
function statusOf({ status, captured }: PaymentEntity): PaymentFact['status'] {
  if (status === 'captured' || status === 'refunded') {
    return captured === true ? 'captured' : 'authorized'
  }
  return status
}

const REFUND_STATES = { pending: 'open', processed: 'final', failed: 'undone' } as const

/** A refund takes the money from the moment it is asked for; one that failed gives it back. Amounts in minor units. */
export function toRefundFact(entity: RefundEntity): TakebackFact {
  return {
    id: entity.id,
    kind: 'refund',
    paymentId: entity.payment_id,
    amountMinor: entity.amount,
    state: REFUND_STATES[entity.status],
  }
}

/** A dispute takes the money from its first day; `won`, or closed without a decision, gives it back. */
export function toDisputeFact(entity: DisputeEntity): TakebackFact {
  const isUndone = entity.status === 'won' || entity.status === 'closed'
  return {
    id: entity.id,
    kind: 'dispute',
    paymentId: entity.payment_id,
    amountMinor: entity.amount,
    state: isUndone ? 'undone' : entity.status === 'lost' ? 'final' : 'open',
  }
}
