import { and, asc, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { ReceiptRow, receiptsEndpoint } from '../../../src/contract/receipt.ts'
import { creditNotes, grants, purchases, receipts } from '../../db/schema/purchases.ts'
import { accountQuery, requireAccount } from '../account/account-query.ts'
import type { Context } from '../context.ts'
import { creditNoteNumber, receiptNumber } from '../format-money.ts'
import { monthSpan, toIso } from '../time.ts'
import type { SessionHandler } from '../handler.ts'
import { cancelledNote, isCancelledNote } from './cancelled-note.ts'
import { ofThisMode } from './find-purchase.ts'
import { readInvoice } from './invoice.ts'
import { INDIA_TIME_MS } from './tax.ts'

/** The most rows of each kind that an account gets for a month. */
const LIST_MAX = 500

/** The caller's receipts and credit notes of a month. */
export const listReceipts: SessionHandler<typeof receiptsEndpoint> = async (
  ctx,
  { claims, query: { month } },
) => {
  // The plus keeps SQLite from reading everybody's receipts of the month.
  const own = eq(purchases.userId, claims.userId)
  const { accounts, issued, notes } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    issued: selectReceipts(ctx)
      .where(and(own, ofThisMode(ctx), within(sql`+${receipts.issuedAt}`, month)))
      .limit(LIST_MAX),
    notes: selectNotes(ctx)
      .where(and(own, ofThisMode(ctx), within(sql`+${creditNotes.issuedAt}`, month)))
      .limit(LIST_MAX),
  })
  requireAccount(accounts)
  return { success: true, rows: rowsOf(issued, notes) }
}

/** All receipts and credit notes of a month, for the seller's books. */
export async function receiptsOfMonth(
  ctx: Pick<Context, 'db' | 'paymentMode'>,
  month: string,
): Promise<ReceiptRow[]> {
  const { issued, notes } = await ctx.db.batch({
    issued: selectReceipts(ctx).where(
      and(ofThisMode(ctx), within(sql`${receipts.issuedAt}`, month)),
    ),
    notes: selectNotes(ctx).where(
      and(ofThisMode(ctx), within(sql`${creditNotes.issuedAt}`, month)),
    ),
  })
  return rowsOf(issued, notes)
}

function selectReceipts({ db }: Pick<Context, 'db'>) {
  return db
    .select({ receipt: receipts, purchase: purchases, paymentId: grants.paymentId })
    .from(receipts)
    .innerJoin(purchases, eq(purchases.id, receipts.purchaseId))
    .innerJoin(grants, eq(grants.purchaseId, receipts.purchaseId))
    .orderBy(asc(receipts.issuedAt), asc(receipts.number))
    .$dynamic()
}

function selectNotes({ db }: Pick<Context, 'db'>) {
  return db
    .select({
      note: creditNotes,
      receipt: receipts,
      purchase: purchases,
      paymentId: grants.paymentId,
      cancelled: cancelledNote,
    })
    .from(creditNotes)
    .leftJoin(cancelledNote, isCancelledNote)
    .innerJoin(receipts, eq(receipts.purchaseId, creditNotes.purchaseId))
    .innerJoin(purchases, eq(purchases.id, creditNotes.purchaseId))
    .innerJoin(grants, eq(grants.purchaseId, creditNotes.purchaseId))
    .orderBy(asc(creditNotes.issuedAt), asc(creditNotes.number))
    .$dynamic()
}

/** Whether a document was issued in this month ("2026-11"), in India time. */
function within(issuedAt: SQL, month: string) {
  const { start, end } = monthSpan(month)
  return and(gte(issuedAt, start - INDIA_TIME_MS), lt(issuedAt, end - INDIA_TIME_MS))
}

type Issued = Awaited<ReturnType<typeof selectReceipts>>
type Noted = Awaited<ReturnType<typeof selectNotes>>

function rowsOf(issued: Issued, notes: Noted): ReceiptRow[] {
  const receiptRows = issued.map((row) => ({
    ...commonOf(row),
    ...partsOf(row.receipt, row.purchase.amountMinor, 1),
    kind: 'receipt' as const,
    number: receiptNumber(row.receipt),
    cancels: null,
    issuedAt: toIso(row.receipt.issuedAt),
  }))
  const noteRows = notes.map((row) => ({
    ...commonOf(row),
    ...partsOf(row.note, row.note.amountMinor, -1),
    kind: row.note.isCancellation ? ('cancellation' as const) : ('credit_note' as const),
    number: creditNoteNumber(row.note),
    cancels: row.cancelled && creditNoteNumber(row.cancelled),
    issuedAt: toIso(row.note.issuedAt),
  }))
  return [...receiptRows, ...noteRows]
}

function commonOf({ receipt, purchase, paymentId }: Issued[number]) {
  const invoice = readInvoice(receipt.invoice)
  return {
    receiptNumber: receiptNumber(receipt),
    buyerName: invoice?.buyerName ?? receipt.buyerName,
    buyerEmail: receipt.buyerEmail,
    buyerGstin: invoice?.buyerGstin ?? null,
    placeOfSupply: invoice?.placeOfSupply ?? null,
    sac: invoice?.sac ?? null,
    currency: purchase.currency,
    ratePercent: receipt.taxRate / 100,
    paymentId,
  }
}

type Taxed = Pick<typeof receipts.$inferSelect, 'cgstMinor' | 'sgstMinor' | 'igstMinor'>

function partsOf({ cgstMinor, sgstMinor, igstMinor }: Taxed, totalMinor: number, sign: 1 | -1) {
  return {
    taxable: sign * (totalMinor - cgstMinor - sgstMinor - igstMinor),
    cgst: sign * cgstMinor,
    sgst: sign * sgstMinor,
    igst: sign * igstMinor,
    total: sign * totalMinor,
  }
}
