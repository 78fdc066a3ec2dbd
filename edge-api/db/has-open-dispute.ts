import { type SQL, sql } from 'drizzle-orm'

/**
 * In SQL, whether a bank disputes a payment: it holds the money and decides where it goes. A bank that only asks (`inquiry`)
 * does not.
 *
 * @param paymentId in SQL, the id of the payment
 */
export const hasOpenDispute = (paymentId: SQL): SQL<number> => sql<number>`EXISTS (
  SELECT 1 FROM refunds_and_disputes t WHERE t.payment_id = ${paymentId} AND t.kind = 'dispute' AND t.state = 'open')`
