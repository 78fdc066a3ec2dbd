import { PURCHASE, TOAST } from '../../../src/contract/messages.ts'
import type { Settlement } from '../../../src/contract/purchase.ts'
import type { Purchase } from './purchase-row.ts'

const SETTLEMENTS = {
  creating: 'pending',
  open: 'pending',
  authorized: 'pending',
  // Not the last word: a failed payment may still succeed, and then the answer is 'paid'.
  attempted: 'failed',
  expired: 'failed',
  paid: 'paid',
  review: 'review',
  refunded: 'refunded',
} as const satisfies Record<Purchase['status'], Settlement>

const MESSAGES: Readonly<Record<Settlement, string>> = {
  paid: TOAST.paymentVerified,
  pending: PURCHASE.confirming,
  failed: PURCHASE.notPaid,
  review: PURCHASE.needsReview,
  refunded: PURCHASE.refunded,
}

/** What a purchase's state means to somebody who asks whether their money arrived. */
export function settlementOf(status: Purchase['status']): Settlement {
  return SETTLEMENTS[status]
}

/** The answer of every confirming call; the same however often it is asked. */
export function settlementAnswer(status: Purchase['status'], paidMessage?: string) {
  const settlement = settlementOf(status)
  const isPaid = settlement === 'paid' && paidMessage !== undefined
  return {
    success: true as const,
    message: isPaid ? paidMessage : MESSAGES[settlement],
    status: settlement,
  }
}
