import { sql } from 'drizzle-orm'
import { z } from '../../../../src/contract/zod.ts'
import { PurchaseStatus } from '../../../../src/contract/purchase.ts'
import type { Context } from '../../context.ts'

const List = <Entry extends z.ZodType>(entry: Entry) =>
  z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(z.array(entry))

const SettledRow = z.object({
  status: PurchaseStatus,
  linkId: z.string().nullable(),
  hasMail: z.int().transform(Boolean),
  owed: List(z.object({ paymentId: z.string(), reason: z.string() })),
  conflicts: List(z.string()),
})
export type SettledRow = z.output<typeof SettledRow>

/** What the batch came to, and what of it is new. */
export function readSettled({ db, now }: Context, purchaseId: string) {
  return db.all(sql`
    SELECT p.status, p.razorpay_link_id AS linkId,
      EXISTS (SELECT 1 FROM mails l WHERE l.user_id = p.user_id AND l.due_at = ${now}) AS hasMail,
      (
        SELECT json_group_array(json_object('paymentId', o.payment_id, 'reason', o.reason))
        FROM owed_refunds o WHERE o.purchase_id = p.id AND o.created_at = ${now}
      ) AS owed,
      (
        SELECT json_group_array(m.id)
        FROM payments m WHERE m.purchase_id = p.id AND m.conflict_at = ${now}
      ) AS conflicts
    FROM purchases p
    WHERE p.id = ${purchaseId}
  `)
}

/** The one row of `readSettled`, checked: a batch of many statements carries no types. */
export function parseSettled(rows: unknown): SettledRow {
  return z.tuple([SettledRow]).parse(rows)[0]
}
