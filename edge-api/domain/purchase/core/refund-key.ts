import type { RefundFact } from '../../ports/payments.ts'
import { isOf } from './rows.ts'
import type { PendingRefund, State } from './state.ts'

/**
 * The key under which Razorpay makes a refund once, and which it keeps as the refund's `reason`: the id of the pending refund, and
 * how many refunds of the payment are known, failed ones too. So after a failure the same amount is sent under another key. Example:
 * `refund-pay_1-0`, and after a refund that failed `refund-pay_1-0-1`.
 */
export function refundKeyOf({ refunds }: State, { id, paymentId }: PendingRefund): string {
  const count = refunds.filter(isOf(paymentId)).length
  return count === 0 ? id : `${id}-${count}`
}

/** Whether we sent a refund for this pending one: under any of its keys. */
export function isSentFor({ reason }: Pick<RefundFact, 'reason'>, { id }: PendingRefund): boolean {
  return reason === id || reason?.startsWith(`${id}-`) === true
}

/** Whether we sent a refund: each of our keys names the payment, as did those of earlier versions (`excess-pay_1`). */
export function isOurs({ reason, paymentId }: Pick<RefundFact, 'reason' | 'paymentId'>): boolean {
  return reason?.includes(paymentId) === true
}
