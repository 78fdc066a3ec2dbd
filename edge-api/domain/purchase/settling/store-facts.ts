import { type SQL, sql } from 'drizzle-orm'
import { insertFrom } from '../../../db/insert-from.ts'
import { payments as storedPayments, refundsAndDisputes } from '../../../db/schema/purchases.ts'
import type { Context } from '../../context.ts'
import type { Facts, PaymentFact, RefundOrDispute } from '../../ports/payments.ts'

const RANKS = { created: 0, failed: 1, authorized: 2, captured: 3 } as const satisfies Record<
  PaymentFact['status'],
  number
>

/** Binds the order that was found by the purchase's id. An order is bound once. */
export function bindOrder({ db }: Context, purchaseId: string, { orders }: Facts) {
  return db.run(sql`
    UPDATE purchases SET razorpay_order_id = f.value ->> 'razorpayOrderId'
    FROM json_each(${JSON.stringify(orders)}) f
    WHERE purchases.id = ${purchaseId} AND f.value ->> 'purchaseId' = purchases.id
      AND purchases.razorpay_order_id IS NULL AND ${isFree}
  `)
}

/** Binds the order behind a link: known by the link, or by our receipt on it when the purchase has another order. */
export function bindLinkOrder({ db }: Context, purchaseId: string, { orders, linkOrders }: Facts) {
  return db.run(sql`
    UPDATE purchases SET razorpay_link_order_id = f.value ->> 'razorpayOrderId'
    FROM json_each(${JSON.stringify([...linkOrders, ...orders])}) f
    WHERE purchases.id = ${purchaseId}
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

/** Stores payments on this purchase's orders. Values only grow, whatever order the facts arrive in. */
export function storePayments({ db, now }: Context, purchaseId: string, { payments }: Facts) {
  const rows = payments.map((fact) => ({ ...fact, rank: RANKS[fact.status] }))
  const payment = {
    id: sql`f.value ->> 'paymentId'`,
    purchaseId: sql`p.id`,
    razorpayOrderId: sql`f.value ->> 'razorpayOrderId'`,
    amountMinor: sql`f.value ->> 'amountMinor'`,
    currency: sql`f.value ->> 'currency'`,
    status: sql`f.value ->> 'rank'`,
    amountRefundedMinor: sql`f.value ->> 'amountRefundedMinor'`,
    baseAmountMinor: sql`f.value ->> 'baseAmountMinor'`,
    baseCurrency: sql`f.value ->> 'baseCurrency'`,
    beganAt: sql`f.value ->> 'beganAt'`,
    method: sql`f.value ->> 'method'`,
    isInternational: sql`f.value ->> 'isInternational'`,
    errorReason: sql`f.value ->> 'errorReason'`,
    createdAt: now,
    updatedAt: now,
  }
  const source = sql`
    FROM json_each(${JSON.stringify(rows)}) f
    JOIN purchases p ON f.value ->> 'razorpayOrderId' IN (p.razorpay_order_id, p.razorpay_link_order_id)
    WHERE p.id = ${purchaseId}`
  return db.run(sql`
    ${insertFrom(storedPayments, payment, source)}
    ON CONFLICT (id) DO UPDATE SET
      rank = max(rank, excluded.rank),
      amount_refunded_minor = max(amount_refunded_minor, excluded.amount_refunded_minor),
      base_amount_minor = coalesce(base_amount_minor, excluded.base_amount_minor),
      base_currency = coalesce(base_currency, excluded.base_currency),
      began_at = coalesce(began_at, excluded.began_at),
      method = coalesce(method, excluded.method),
      is_international = coalesce(is_international, excluded.is_international),
      error_reason = coalesce(error_reason, excluded.error_reason),
      updated_at = excluded.updated_at
    WHERE excluded.rank > rank OR excluded.amount_refunded_minor > amount_refunded_minor
      OR (base_amount_minor IS NULL AND excluded.base_amount_minor IS NOT NULL)
  `)
}

/**
 * Marks payments about which Razorpay contradicts itself, and those of this purchase on an order whose receipt names
 * another. A human decides; granted tokens stay. Runs after `storePayments`. Returns those that it marked.
 */
export function markConflicts({ db, now }: Context, purchaseId: string, facts: Facts) {
  return db.all<{ paymentId: string; purchaseId: string }>(sql`
    UPDATE payments SET conflict_at = ${now}
    WHERE conflict_at IS NULL AND id IN (
      SELECT m.id FROM json_each(${JSON.stringify(facts.payments)}) f
      JOIN payments m ON m.id = f.value ->> 'paymentId'
      WHERE (m.amount_minor, m.currency, m.razorpay_order_id)
        <> (f.value ->> 'amountMinor', f.value ->> 'currency', f.value ->> 'razorpayOrderId')
      UNION ALL
      SELECT m.id FROM json_each(${JSON.stringify(facts.orders)}) f
      JOIN payments m ON m.razorpay_order_id = f.value ->> 'razorpayOrderId'
      WHERE m.purchase_id = ${purchaseId} AND f.value ->> 'purchaseId' <> m.purchase_id
    )
    RETURNING id AS paymentId, purchase_id AS purchaseId
  `)
}

/**
 * Stores refunds and disputes by their own ids. A refund moves from open to final. Undone overrides both and is the
 * end. A report of what is known already changes nothing, so that `updated_at` says since when. For a dispute the latest
 * report counts; at the same time, the more advanced one. Returns those that are new or moved on.
 */
export function storeRefundsAndDisputes({ db, now }: Context, purchaseId: string, facts: Facts) {
  const row = {
    id: sql`f.value ->> 'id'`,
    kind: sql`f.value ->> 'kind'`,
    paymentId: sql`m.id`,
    amountMinor: sql`f.value ->> 'amountMinor'`,
    currency: sql`f.value ->> 'currency'`,
    state: sql`f.value ->> 'state'`,
    phase: sql`f.value ->> 'phase'`,
    respondBy: sql`f.value ->> 'respondBy'`,
    beganAt: sql`f.value ->> 'beganAt'`,
    asOf: sql`coalesce(f.value ->> 'asOf', ${now})`,
    createdAt: now,
    updatedAt: now,
  }
  const source = sql`
    FROM json_each(${JSON.stringify(facts.refundsAndDisputes)}) f
    JOIN payments m ON m.id = f.value ->> 'paymentId'
    WHERE m.purchase_id = ${purchaseId}`
  return db.all<Omit<RefundOrDispute, 'beganAt' | 'asOf' | 'reason'>>(sql`
    ${insertFrom(refundsAndDisputes, row, source)}
    ON CONFLICT (id) DO UPDATE SET
      amount_minor = iif(
        kind = 'refund', max(amount_minor, excluded.amount_minor), excluded.amount_minor
      ),
      currency = excluded.currency,
      phase = excluded.phase,
      respond_by = excluded.respond_by,
      as_of = max(as_of, excluded.as_of),
      state = CASE
        WHEN kind = 'dispute' THEN excluded.state
        WHEN 'undone' IN (state, excluded.state) THEN 'undone'
        WHEN 'final' IN (state, excluded.state) THEN 'final'
        ELSE 'open'
      END,
      updated_at = excluded.updated_at
    WHERE excluded.payment_id = payment_id AND excluded.kind = kind
      AND CASE WHEN kind = 'refund' THEN state <> 'undone' AND (
        excluded.state = 'undone' OR (state = 'open' AND excluded.state = 'final')
        OR excluded.amount_minor > amount_minor OR excluded.currency <> currency
      ) ELSE
        excluded.as_of > as_of
        OR (excluded.as_of = as_of AND ${progress(sql`excluded.state`)} > ${progress(sql`state`)})
      END
    RETURNING id, kind, payment_id AS paymentId, amount_minor AS amountMinor, currency, state, phase,
      respond_by AS respondBy
  `)
}

/** The states of a dispute, in order. */
function progress(state: SQL): SQL {
  return sql`CASE ${state} WHEN 'inquiry' THEN 0 WHEN 'open' THEN 1 WHEN 'undone' THEN 2 ELSE 3 END`
}
