import { sql } from 'drizzle-orm'
import type { Context } from '../../context.ts'
import type { Facts, PaymentFact } from '../../ports/payments.ts'

const RANKS = { created: 0, failed: 1, authorized: 2, captured: 3 } as const satisfies Record<
  PaymentFact['status'],
  number
>

/** Orders found by the purchase's own id, and the order behind its link. An id is bound once. */
export function bindOrder({ db }: Context, purchaseId: string, { orders }: Facts) {
  return db.run(sql`
    UPDATE purchases SET razorpay_order_id = f.value ->> 'razorpayOrderId'
    FROM json_each(${JSON.stringify(orders)}) f
    WHERE purchases.id = ${purchaseId} AND f.value ->> 'purchaseId' = purchases.id
      AND purchases.razorpay_order_id IS NULL AND ${isFree}
  `)
}

/** A link's order is known by the link, or by our receipt on it where the purchase has an order already. */
export function bindLinkOrder({ db }: Context, purchaseId: string, { orders, linkOrders }: Facts) {
  return db.run(sql`
    UPDATE purchases SET razorpay_link_order_id = f.value ->> 'razorpayOrderId'
    FROM json_each(${JSON.stringify([...linkOrders, ...orders])}) f
    WHERE purchases.id = ${purchaseId} AND purchases.razorpay_link_id IS NOT NULL
      AND (
        f.value ->> 'linkId' = purchases.razorpay_link_id
        OR f.value ->> 'purchaseId' = purchases.id
      )
      AND purchases.razorpay_link_order_id IS NULL AND ${isFree}
  `)
}

const isFree = sql`NOT EXISTS (
  SELECT 1 FROM purchases o
  WHERE o.razorpay_order_id = f.value ->> 'razorpayOrderId'
    OR o.razorpay_link_order_id = f.value ->> 'razorpayOrderId'
)`

/** Payments on this purchase's orders. What is known of one only grows, in whatever order it is told. */
export function storePayments({ db, now }: Context, purchaseId: string, { payments }: Facts) {
  const rows = payments.map((fact) => ({ ...fact, rank: RANKS[fact.status] }))
  return db.run(sql`
    INSERT INTO payments (id, purchase_id, razorpay_order_id, amount_minor, currency, rank,
      amount_refunded_minor, method, error_reason, created_at, updated_at)
    SELECT f.value ->> 'paymentId', p.id, f.value ->> 'razorpayOrderId', f.value ->> 'amountMinor',
      f.value ->> 'currency', f.value ->> 'rank', f.value ->> 'amountRefundedMinor',
      f.value ->> 'method', f.value ->> 'errorReason', ${now}, ${now}
    FROM json_each(${JSON.stringify(rows)}) f
    JOIN purchases p ON f.value ->> 'razorpayOrderId' IN (p.razorpay_order_id, p.razorpay_link_order_id)
    WHERE p.id = ${purchaseId}
    ON CONFLICT (id) DO UPDATE SET
      rank = max(rank, excluded.rank),
      amount_refunded_minor = max(amount_refunded_minor, excluded.amount_refunded_minor),
      method = coalesce(method, excluded.method),
      error_reason = coalesce(error_reason, excluded.error_reason),
      updated_at = excluded.updated_at
    WHERE excluded.rank > rank OR excluded.amount_refunded_minor > amount_refunded_minor
  `)
}

/** Razorpay contradicts itself about a payment: a human looks, what was granted stays. */
export function markConflicts({ db, now }: Context, { payments }: Facts) {
  return db.run(sql`
    UPDATE payments SET conflict_at = ${now}
    FROM json_each(${JSON.stringify(payments)}) f
    WHERE payments.id = f.value ->> 'paymentId' AND payments.conflict_at IS NULL AND (
      payments.amount_minor <> f.value ->> 'amountMinor'
      OR payments.currency <> f.value ->> 'currency'
      OR payments.razorpay_order_id <> f.value ->> 'razorpayOrderId'
    )
  `)
}

/** Refunds and disputes by their own ids: open, then final, and undone above all. */
export function storeRefundsAndDisputes(
  { db, now }: Context,
  purchaseId: string,
  { refundsAndDisputes }: Facts,
) {
  return db.run(sql`
    INSERT INTO refunds_and_disputes (id, kind, payment_id, amount_minor, state, created_at, updated_at)
    SELECT f.value ->> 'id', f.value ->> 'kind', m.id, f.value ->> 'amountMinor',
      f.value ->> 'state', ${now}, ${now}
    FROM json_each(${JSON.stringify(refundsAndDisputes)}) f
    JOIN payments m ON m.id = f.value ->> 'paymentId'
    WHERE m.purchase_id = ${purchaseId}
    ON CONFLICT (id) DO UPDATE SET
      amount_minor = max(amount_minor, excluded.amount_minor),
      state = CASE
        WHEN 'undone' IN (state, excluded.state) THEN 'undone'
        WHEN 'final' IN (state, excluded.state) THEN 'final'
        ELSE 'open'
      END,
      updated_at = excluded.updated_at
    WHERE excluded.payment_id = payment_id AND excluded.kind = kind
  `)
}
