import type { RefundFact } from '../../ports/payments.ts'
import { isOf } from './rows.ts'
import type { PendingRefund, State } from './state.ts'

/**
 * The key under which Razorpay makes a refund once, which it keeps as the refund's `reason`. It has the number of the refunds
 * that are known, failed ones too: after a failure the same amount is sent once more, under another key.
 */
export function refundKeyOf({ refunds }: State, { id, paymentId }: PendingRefund): string {
  const count = refunds.filter(isOf(paymentId)).length
  return count === 0 ? id : `${id}-${count}`
}

/** Whether we sent a refund for this pending one. */
export function isSentFor({ reason }: Pick<RefundFact, 'reason'>, { id }: PendingRefund): boolean {
  return reason === id || reason?.startsWith(`${id}-`) === true
}

/** Whether we sent a refund: each of our keys, those of earlier days too, names the payment. */
export function isOurs({ reason, paymentId }: Pick<RefundFact, 'reason' | 'paymentId'>): boolean {
  return reason?.includes(paymentId) === true
}
