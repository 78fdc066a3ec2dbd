import { type SQL, sql } from 'drizzle-orm'
import type { Context } from '../context.ts'
import type { PaymentFact, RefundOrDispute } from '../ports/payments.ts'
import { hours } from '../time.ts'

/** The most refunds and disputes, missing in Razorpay's lists, that are looked up by id. */
const OPEN_MAX = 100
/** How long a refund that is done here may still be pending in Razorpay's lists. */
const LISTS_LAG_MS = hours(1)

/** Milliseconds UTC. */
export interface Span {
  from: number
  to: number
}

/** How a payment, refund or dispute is known, here or at Razorpay. */
export interface Known {
  state: string
  amountMinor: number
  currency: string
}

/**
 * The captured payments that are unknown here, or whose refunds are: what is stored as captured has tokens or a pending refund.
 * A refund that we sent is stored before a payment's total includes it.
 */
export async function unaccounted(
  ctx: Context,
  payments: readonly PaymentFact[],
): Promise<PaymentFact[]> {
  const captured = payments.filter(({ status }) => status === 'captured')
  const rows = await read<{ id: string }>(
    ctx,
    sql`
      SELECT f.value ->> 'paymentId' AS id
      FROM json_each(${JSON.stringify(captured)}) f
      LEFT JOIN payments m ON m.id = f.value ->> 'paymentId' AND m.rank = 3
      WHERE m.id IS NULL
        OR max(m.amount_refunded_minor, m.refunded_minor) < f.value ->> 'amountRefundedMinor'`,
  )
  const ids = new Set(rows.map(({ id }) => id))
  return captured.filter(({ paymentId }) => ids.has(paymentId))
}

/** Our rows of those refunds and disputes that we have with other values; only an id for those of known payments that we lack. */
export function differingFrom(ctx: Context, refundsAndDisputes: readonly RefundOrDispute[]) {
  return read<Known & { id: string }>(
    ctx,
    sql`
    SELECT f.value ->> 'id' AS id, t.state, t.amount_minor AS amountMinor, t.currency
    FROM json_each(${JSON.stringify(refundsAndDisputes)}) f
    JOIN payments m ON m.id = f.value ->> 'paymentId'
    LEFT JOIN refunds_and_disputes t ON t.id = f.value ->> 'id'
    WHERE t.id IS NULL OR t.payment_id <> m.id OR t.amount_minor <> f.value ->> 'amountMinor'
      OR t.currency <> f.value ->> 'currency'
      OR (t.kind = 'dispute'
        AND (t.state, t.respond_by) IS NOT (f.value ->> 'state', f.value ->> 'respondBy'))
      OR (t.state = 'open' AND f.value ->> 'state' <> 'open')
      OR (t.state = 'final' AND f.value ->> 'state' = 'undone')
      OR (t.state = 'undone' AND f.value ->> 'state' = 'final')
      OR (t.state = 'final' AND f.value ->> 'state' = 'open' AND t.updated_at < ${ctx.now - LISTS_LAG_MS})`,
  )
}

/** The refunds and disputes of ours that are open or moved on since then, and that Razorpay's lists did not contain. */
export function unlistedRefundsAndDisputes(
  ctx: Context,
  listed: readonly RefundOrDispute[],
  since: number,
) {
  return read<Known & Pick<RefundOrDispute, 'id' | 'kind'> & { purchaseId: string }>(
    ctx,
    sql`
      SELECT t.id, t.kind, p.id AS purchaseId, t.state, t.amount_minor AS amountMinor, t.currency
      FROM refunds_and_disputes t
      JOIN payments m ON m.id = t.payment_id
      JOIN purchases p ON p.id = m.purchase_id
      WHERE (t.state IN ('inquiry', 'open') OR (t.state IN ('final', 'undone') AND t.updated_at >= ${since}))
        AND t.id NOT IN (SELECT f.value ->> 'id' FROM json_each(${JSON.stringify(listed)}) f)
        AND p.payment_mode = ${ctx.paymentMode}
      ORDER BY t.updated_at
      LIMIT ${OPEN_MAX}`,
  )
}

export interface Grant extends Omit<Known, 'state'> {
  purchaseId: string
  paymentId: string
  razorpayOrderId: string
  /** The part of the payment that completed refunds here have returned. */
  amountRefundedMinor: number
}

/** The grants of these spans and the payments behind them. `CROSS JOIN` keeps the spans first: each is a search of an index. */
export function grantsOf(ctx: Context, spans: readonly Span[]): Promise<Grant[]> {
  return read(
    ctx,
    sql`
      SELECT g.purchase_id AS purchaseId, m.id AS paymentId, m.razorpay_order_id AS razorpayOrderId,
        m.amount_minor AS amountMinor, m.currency, (
          SELECT coalesce(sum(t.amount_minor), 0) FROM refunds_and_disputes t
          WHERE t.payment_id = m.id AND t.kind = 'refund' AND t.state = 'final'
        ) AS amountRefundedMinor
      FROM json_each(${JSON.stringify(spans)}) s
      CROSS JOIN grants g ON g.granted_at >= s.value ->> 'from' AND g.granted_at < s.value ->> 'to'
      JOIN payments m ON m.id = g.payment_id
      WHERE g.payment_mode = ${ctx.paymentMode}`,
  )
}

async function read<Row>({ db }: Context, query: SQL): Promise<Row[]> {
  const [rows] = await db.batch([db.all<Row>(query)])
  return rows
}
