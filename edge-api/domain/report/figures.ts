import { type SQL, sql } from 'drizzle-orm'
import { Currency } from '../../../src/contract/currency.ts'
import { z } from '../../../src/contract/zod.ts'
import type { Context } from '../context.ts'

/** The sales, and the refunds of sales, in a span of time, in minor units of one currency. */
export const Figures = z.object({
  /** When the span began, milliseconds UTC. */
  at: z.int(),
  currency: Currency,
  sales: z.int(),
  soldMinor: z.int(),
  refunds: z.int(),
  refundedMinor: z.int(),
})
export type Figures = z.infer<typeof Figures>

/**
 * Sales by the time of their grant, and refunds of sales by the time they began, in the currency of the payment, in spans of
 * `spanMs` since 1970. Money that bought nothing, because it came twice or was another amount, counts in neither.
 */
export function figuresSince({ paymentMode }: Context, from: number, spanMs: number): SQL {
  return sql`SELECT at - at % ${spanMs} AS at, currency, sum(sale) AS sales, sum(sold) AS soldMinor,
      sum(refund) AS refunds, sum(refunded) AS refundedMinor
    FROM (
      SELECT g.granted_at AS at, p.currency, 1 AS sale, p.amount_minor AS sold, 0 AS refund, 0 AS refunded
      FROM grants g JOIN purchases p ON p.id = g.purchase_id
      WHERE g.granted_at >= ${from} AND g.payment_mode = ${paymentMode}
      UNION ALL
      SELECT t.began_at, t.currency, 0, 0, 1, t.amount_minor
      FROM refunds_and_disputes t JOIN grants g ON g.payment_id = t.payment_id
      WHERE t.kind = 'refund' AND t.began_at >= ${from} AND t.state <> 'undone'
        AND g.payment_mode = ${paymentMode}
    )
    WHERE currency IN ('USD', 'INR') GROUP BY 1, 2 ORDER BY 1 DESC, 2 DESC`
}
