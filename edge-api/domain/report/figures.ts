import { type SQL, sql } from 'drizzle-orm'
import { Currency } from '../../../src/contract/currency.ts'
import { z } from '../../../src/contract/zod.ts'
import type { Context } from '../context.ts'

/** The sales, and what of sales was refunded or lost to banks, in a span of time, in minor units of one currency. */
export const Figures = z.object({
  /** When the span began, milliseconds UTC. */
  at: z.int(),
  currency: Currency,
  sales: z.int(),
  soldMinor: z.int(),
  refunds: z.int(),
  refundedMinor: z.int(),
  /** Disputes that were lost. */
  losses: z.int(),
  lostMinor: z.int(),
})
export type Figures = z.infer<typeof Figures>

/** In SQL, what Razorpay calls refunds of the payment of refund `t`, in minor units. */
const refundsOf = sql`(SELECT sum(r.amount_minor) FROM refunds_and_disputes r
  WHERE r.payment_id = t.payment_id AND r.kind = 'refund' AND r.state <> 'undone')`

/**
 * Sales by the time of their grant, refunds of sales by the time they began, and disputes of sales by the time they were lost, in
 * the currency of the payment, in spans of `spanMs` since 1970. Money that bought nothing, because it came twice or was another
 * amount, counts in none. A refund by which Razorpay reports a lost dispute once more does not count: it has no credit note, or
 * got it before the loss was known (core/credit-notes.ts), and is then by how much the refunds are more than `refunded_minor`:
 * one alone, though somebody may have refunded the same amount by hand.
 */
export function figuresSince({ paymentMode }: Context, from: number, spanMs: number): SQL {
  return sql`SELECT at - at % ${spanMs} AS at, currency, sum(sale) AS sales, sum(sold) AS soldMinor,
      sum(refund) AS refunds, sum(refunded) AS refundedMinor, sum(loss) AS losses, sum(lost) AS lostMinor
    FROM (
      SELECT g.granted_at AS at, p.currency, 1 AS sale, p.amount_minor AS sold, 0 AS refund, 0 AS refunded,
        0 AS loss, 0 AS lost
      FROM grants g JOIN purchases p ON p.id = g.purchase_id
      WHERE g.granted_at >= ${from} AND g.payment_mode = ${paymentMode}
      UNION ALL
      SELECT t.began_at, t.currency, 0, 0, 1, t.amount_minor, 0, 0
      FROM refunds_and_disputes t JOIN grants g ON g.payment_id = t.payment_id
      WHERE t.kind = 'refund' AND t.began_at >= ${from} AND t.state <> 'undone'
        AND g.payment_mode = ${paymentMode}
        AND NOT EXISTS (SELECT 1 FROM refunds_and_disputes d
          WHERE d.payment_id = t.payment_id AND d.kind = 'dispute' AND d.state = 'final'
            AND (NOT EXISTS (SELECT 1 FROM credit_notes c WHERE c.refund_id = t.id)
              OR (t.amount_minor = ${refundsOf} - (SELECT m.refunded_minor FROM payments m WHERE m.id = t.payment_id)
                AND t.id = (SELECT r.id FROM refunds_and_disputes r
                  WHERE r.payment_id = t.payment_id AND r.kind = 'refund' AND r.state <> 'undone'
                    AND r.began_at >= d.began_at AND r.amount_minor = t.amount_minor
                  ORDER BY EXISTS (SELECT 1 FROM credit_notes c WHERE c.refund_id = r.id), r.created_at, r.id LIMIT 1))))
      UNION ALL
      SELECT t.updated_at, m.currency, 0, 0, 0, 0, 1, iif(t.currency = m.currency, t.amount_minor, m.amount_minor)
      FROM refunds_and_disputes t JOIN payments m ON m.id = t.payment_id JOIN grants g ON g.payment_id = m.id
      WHERE t.state = 'final' AND t.updated_at >= ${from} AND t.kind = 'dispute' AND g.payment_mode = ${paymentMode}
    )
    WHERE currency IN ('USD', 'INR') GROUP BY 1, 2 ORDER BY 1 DESC, 2 DESC`
}
