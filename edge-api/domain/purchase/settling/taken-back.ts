import { sql } from 'drizzle-orm'

/*
 * Expressions over one payment, aliased `m`. Both grow only: Razorpay's cumulative figure may or may
 * not count a refund that failed, so the failed ones are taken off it, and never less is believed than
 * the refunds known by name come to.
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

/**
 * What a granted purchase owes its giver: `due` tokens by the share of the money that went back
 * (rounded down), `reversed` of them taken already, `shortfall` found missing when they were taken.
 */
export function reversalAccount(purchaseId: string) {
  return sql`(
    SELECT g.purchase_id, g.user_id, g.payment_mode,
      p.tokens * min(p.amount_minor, ${refunded} + ${disputed}) / p.amount_minor AS due,
      (
        SELECT coalesce(-sum(l.tokens), 0) FROM ledger l
        WHERE l.purchase_id = g.purchase_id AND l.kind IN ('reversal', 'restoration')
      ) AS reversed,
      (
        SELECT count(*) FROM ledger l
        WHERE l.purchase_id = g.purchase_id AND l.kind IN ('reversal', 'restoration')
      ) AS entries,
      coalesce((SELECT s.tokens FROM shortfalls s WHERE s.purchase_id = g.purchase_id), 0) AS shortfall,
      coalesce((
        SELECT b.total - b.used FROM balances b WHERE b.user_id = g.user_id AND b.payment_mode = g.payment_mode
      ), 0) AS available
    FROM grants g
    JOIN purchases p ON p.id = g.purchase_id
    JOIN payments m ON m.id = g.payment_id
    WHERE g.purchase_id = ${purchaseId}
  )`
}
