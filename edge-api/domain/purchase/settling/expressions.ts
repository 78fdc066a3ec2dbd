import { sql } from 'drizzle-orm'

/*
 * Expressions about one payment, aliased `m`. Amounts are in minor units.
 */

/**
 * Refunded so far. Razorpay's cumulative figure may or may not count a refund that failed, so failed refunds are
 * taken off it; and it is never less than the sum of the refunds we know one by one.
 */
export const refunded = sql`max(
  m.amount_refunded_minor - (
    SELECT coalesce(sum(t.amount_minor), 0) FROM refunds_and_disputes t
    WHERE t.payment_id = m.id AND t.kind = 'refund' AND t.state = 'undone'
  ),
  (
    SELECT coalesce(sum(t.amount_minor), 0) FROM refunds_and_disputes t
    WHERE t.payment_id = m.id AND t.kind = 'refund' AND t.state <> 'undone'
  )
)`

export const disputed = sql`(
  SELECT coalesce(sum(t.amount_minor), 0) FROM refunds_and_disputes t
  WHERE t.payment_id = m.id AND t.kind = 'dispute' AND t.state <> 'undone'
)`

export const lostInDispute = sql`(
  SELECT coalesce(sum(t.amount_minor), 0) FROM refunds_and_disputes t
  WHERE t.payment_id = m.id AND t.kind = 'dispute' AND t.state = 'final'
)`

/** Whether payment `m` is what purchase `p` asks for. */
export const matches = sql`(
  m.amount_minor = p.amount_minor AND m.currency = p.currency AND m.conflict_at IS NULL
  AND (m.razorpay_order_id = p.razorpay_order_id OR m.razorpay_order_id = p.razorpay_link_order_id)
)`
