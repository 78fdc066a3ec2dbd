import { sql } from 'drizzle-orm'
import { insertFrom } from '../../db/insert-from.ts'
import { purchaseCauses } from '../../db/schema/purchases.ts'
import type { Context } from '../context.ts'

/** The statement that records, for the admin pages, what changed a purchase; with `when`, if that holds in SQL. */
export function recordCause(ctx: Context, purchaseId: string, cause: string, when = sql`true`) {
  const row = { id: ctx.newId('cau'), purchaseId, cause, createdAt: ctx.now }
  return ctx.db.run(insertFrom(purchaseCauses, row, sql`WHERE ${when}`))
}
