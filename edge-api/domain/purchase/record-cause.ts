import { type SQL, sql } from 'drizzle-orm'
import { insertFrom } from '../../db/insert-from.ts'
import { purchaseCauses } from '../../db/schema/purchases.ts'
import type { Context } from '../context.ts'

/**
 * The statement that records, for the desk, what changed a purchase. Without `when` it is for the batch of `settle`, after
 * the facts: a report that changed nothing leaves no row.
 */
export function recordCause(ctx: Context, purchaseId: string, cause: string, when?: SQL) {
  const row = { id: ctx.newId('cau'), purchaseId, cause, createdAt: ctx.now }
  const isNews = sql`EXISTS (
    SELECT 1 FROM payments m
    LEFT JOIN refunds_and_disputes t ON t.payment_id = m.id
    WHERE m.purchase_id = ${purchaseId} AND ${ctx.now} IN (m.updated_at, t.updated_at)
  )`
  return ctx.db.run(insertFrom(purchaseCauses, row, sql`WHERE ${when ?? isNews}`))
}
