import { sql } from 'drizzle-orm'
import { insertFrom } from '../../../db/insert-from.ts'
import { creditNotes, documentSeries, receipts } from '../../../db/schema/purchases.ts'
import type { Context } from '../../context.ts'
import type { Purchase } from '../find-purchase.ts'
import { invoiceOf } from '../invoice.ts'
import { receiptLine } from '../item.ts'
import { billingOf, financialYear, supplyOf, taxParts } from '../tax.ts'

/**
 * Issues the receipt in the batch of the grant, under the write lock, so that numbers have no gaps or duplicates. It
 * keeps the present contents of the profile and the brand, and the order's item and billing.
 */
export function issueReceipt(ctx: Context, purchase: Purchase) {
  const { db, brand, now } = ctx
  const { tax } = brand.seller
  const { supply } = supplyOf(tax, billingOf(purchase), purchase.currency)
  const series = seriesOf(ctx)
  const taxRate = supply === 'export' ? 0 : (tax?.rate ?? 0)
  const parts = taxParts(sql`${purchase.amountMinor}`, sql`${taxRate}`, sql`${supply}`)
  const receipt = {
    purchaseId: sql`g.purchase_id`,
    series,
    number: sql`${highest('receipt', series)} + 1`,
    supply,
    taxRate,
    cgstMinor: parts.cgst,
    sgstMinor: parts.sgst,
    igstMinor: parts.igst,
    invoice: invoiceOf(ctx, purchase),
    buyerName: sql`coalesce(
      nullif(trim(coalesce(u.first_name, '') || ' ' || coalesce(u.last_name, '')), ''), u.username
    )`,
    buyerEmail: sql`u.email`,
    sellerName: brand.legalEntity,
    sellerEmail: brand.supportEmail,
    line: receiptLine(ctx, purchase),
    issuedAt: now,
  }
  const source = sql`
    FROM grants g JOIN users u ON u.id = g.user_id
    WHERE g.purchase_id = ${purchase.id}
      AND NOT EXISTS (SELECT 1 FROM receipts r WHERE r.purchase_id = g.purchase_id)`
  return db.run(insertFrom(receipts, receipt, source))
}

/** Cancels the credit note of each refund that was undone after it was done, by an entry with the negative amounts. */
export function cancelCreditNotes(ctx: Context, purchaseId: string) {
  const series = seriesOf(ctx)
  const cancellation = {
    refundId: sql`c.refund_id`,
    isCancellation: true,
    purchaseId: sql`c.purchase_id`,
    series,
    number: sql`${highest('credit_note', series)} + row_number() OVER (ORDER BY c.issued_at, c.number)`,
    supply: sql`c.supply`,
    amountMinor: sql`-c.amount_minor`,
    cgstMinor: sql`-c.cgst_minor`,
    sgstMinor: sql`-c.sgst_minor`,
    igstMinor: sql`-c.igst_minor`,
    issuedAt: ctx.now,
  }
  const source = sql`
    FROM credit_notes c JOIN refunds_and_disputes t ON t.id = c.refund_id
    WHERE c.purchase_id = ${purchaseId} AND t.state = 'undone'
      AND NOT EXISTS (SELECT 1 FROM credit_notes d WHERE d.refund_id = t.id AND d.is_cancellation)
    ORDER BY c.issued_at, c.number`
  return ctx.db.run(insertFrom(creditNotes, cancellation, source))
}

/**
 * Issues a credit note for each completed refund. Its tax is the tax of all money refunded so far, less the tax of the
 * earlier notes, so that the notes of a purchase refunded in parts return its tax to the last minor unit. Runs after
 * `cancelCreditNotes`.
 */
export function issueCreditNotes(ctx: Context, purchaseId: string) {
  const series = seriesOf(ctx)
  const of = (amount: ReturnType<typeof sql>) => taxParts(amount, sql`tax_rate`, sql`supply`)
  const before = of(sql`so_far - amount_minor`)
  const after = of(sql`so_far`)
  // A cancelled earlier note may have been rounded differently from the notes that are left.
  const taken = (part: 'cgst' | 'sgst' | 'igst') =>
    sql`max(0, ${after[part]} - iif(nth > 1, ${before[part]}, ${sql.identifier(part)}))`
  const note = {
    refundId: sql`id`,
    isCancellation: false,
    purchaseId: sql`purchase_id`,
    series,
    number: sql`${highest('credit_note', series)} + nth`,
    supply: sql`supply`,
    amountMinor: sql`amount_minor`,
    cgstMinor: taken('cgst'),
    sgstMinor: taken('sgst'),
    igstMinor: taken('igst'),
    issuedAt: ctx.now,
  }
  const source = sql`
    FROM (
      SELECT t.id, r.purchase_id, r.supply, r.tax_rate, t.amount_minor,
        row_number() OVER (ORDER BY t.began_at, t.id) AS nth,
        sum(t.amount_minor) OVER (ORDER BY t.began_at, t.id) + n.amount AS so_far,
        n.cgst, n.sgst, n.igst
      FROM receipts r
      JOIN (
        SELECT coalesce(sum(c.amount_minor), 0) AS amount, coalesce(sum(c.cgst_minor), 0) AS cgst,
          coalesce(sum(c.sgst_minor), 0) AS sgst, coalesce(sum(c.igst_minor), 0) AS igst
        FROM credit_notes c WHERE c.purchase_id = ${purchaseId}
      ) n
      JOIN grants g ON g.purchase_id = r.purchase_id
      JOIN refunds_and_disputes t ON t.payment_id = g.payment_id
      WHERE r.purchase_id = ${purchaseId} AND t.kind = 'refund' AND t.state = 'final'
        AND t.amount_minor > 0
        AND NOT EXISTS (SELECT 1 FROM credit_notes c WHERE c.refund_id = t.id)
    )
    WHERE true
    ORDER BY nth`
  return ctx.db.run(insertFrom(creditNotes, note, source))
}

/** The series of documents issued now: one per financial year where tax is charged, otherwise always the same. */
function seriesOf({ brand, now }: Context): string {
  return brand.seller.tax === null ? '' : financialYear(now)
}

/** In SQL, the highest number that was given in a series; 0 in a new one. */
function highest(document: (typeof documentSeries.$inferSelect)['document'], series: string) {
  return sql`coalesce((
    SELECT s.highest FROM ${documentSeries} s WHERE s.document = ${document} AND s.series = ${series}
  ), 0)`
}
