import { and, asc, type Column, eq, gte, lt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { PURCHASE } from '../../../src/contract/messages.ts'
import type {
  receiptEndpoint,
  ReceiptRow,
  receiptsEndpoint,
} from '../../../src/contract/receipt.ts'
import { creditNotes, grants, payments, purchases, receipts } from '../../db/schema/purchases.ts'
import { accountQuery, requireSignedIn } from '../session/account-query.ts'
import type { Context } from '../context.ts'
import { creditNoteNumber, receiptNumber } from '../format-money.ts'
import { ApiError } from '../api-error.ts'
import { monthSpan, toIso } from '../time.ts'
import type { SessionHandler } from '../handler.ts'
import { ofThisMode } from './purchase.ts'
import { INDIA_TIME_MS, readInvoice } from './tax.ts'

/** The most rows of each kind that an account gets for a month. */
const LIST_MAX = 500
/** The most credit notes that a receipt shows. */
const NOTES_MAX = 100

/** The receipt as it was issued. The price includes the tax, if there is any: the line and the tax make up the total. */
export const getReceipt: SessionHandler<typeof receiptEndpoint> = async (
  ctx,
  { claims, params },
) => {
  const { purchaseId } = params
  const own = and(
    eq(purchases.id, purchaseId),
    eq(purchases.userId, claims.userId),
    ofThisMode(ctx),
  )
  const { accounts, rows, paid, notes } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    rows: selectReceipts(ctx).where(own),
    paid: selectPaid(ctx, purchaseId),
    notes: selectNotes(ctx).where(own).limit(NOTES_MAX),
  })
  requireSignedIn(accounts)
  const [[row], [payment]] = [rows, paid]
  if (row === undefined || payment === undefined) {
    throw new ApiError('NOT_FOUND', PURCHASE.notFound)
  }
  const { receipt, purchase, paymentId } = row
  const invoice = readInvoice(receipt.invoice)
  const parts = taxOf(receipt)
  const tax = parts.cgst + parts.sgst + parts.igst
  return {
    success: true,
    receipt: {
      number: receiptNumber(receipt),
      purchaseId,
      issuedAt: toIso(receipt.issuedAt),
      seller: { name: receipt.sellerName, email: receipt.sellerEmail },
      buyer: { name: receipt.buyerName, email: receipt.buyerEmail },
      lines: [{ description: receipt.line, quantity: 1, amount: purchase.amountMinor - tax }],
      tax,
      total: purchase.amountMinor,
      currency: purchase.currency,
      paymentId,
      ...payment,
      invoice: invoice && { ...invoice, ...parts, ratePercent: receipt.taxRate / 100 },
      creditNotes: notes.map(({ note, cancelled }) => ({
        ...taxOf(note),
        number: creditNoteNumber(note),
        issuedAt: toIso(note.issuedAt),
        amount: note.amountMinor,
        cancels: cancelled && creditNoteNumber(cancelled),
      })),
    },
  }
}

/** The caller's receipts and credit notes of a month. */
export const listReceipts: SessionHandler<typeof receiptsEndpoint> = async (
  ctx,
  { claims, query: { month } },
) => {
  const documents = documentsOf(ctx, month, claims.userId)
  const { accounts, issued, notes } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    issued: documents.issued.limit(LIST_MAX),
    notes: documents.notes.limit(LIST_MAX),
  })
  requireSignedIn(accounts)
  return { success: true, rows: rowsOf(issued, notes) }
}

/** All receipts and credit notes of a month, for the seller's books. */
export async function receiptsOfMonth(
  ctx: Pick<Context, 'db' | 'paymentMode'>,
  month: string,
): Promise<ReceiptRow[]> {
  const { issued, notes } = await ctx.db.batch(documentsOf(ctx, month))
  return rowsOf(issued, notes)
}

/** What was issued in a month ("2026-11"), in India time: to everybody, or to a user. */
function documentsOf(ctx: Pick<Context, 'db' | 'paymentMode'>, month: string, userId?: string) {
  const { start, end } = monthSpan(month)
  const isIn = (issuedAt: Column) => {
    // The plus keeps SQLite from reading everybody's receipts of the month.
    const at = userId === undefined ? sql`${issuedAt}` : sql`+${issuedAt}`
    const isOwn = userId === undefined ? undefined : eq(purchases.userId, userId)
    const span = and(gte(at, start - INDIA_TIME_MS), lt(at, end - INDIA_TIME_MS))
    return and(isOwn, ofThisMode(ctx), span)
  }
  return {
    issued: selectReceipts(ctx).where(isIn(receipts.issuedAt)),
    notes: selectNotes(ctx).where(isIn(creditNotes.issuedAt)),
  }
}

/** How the payment behind a receipt was made, and what of it was returned, by us and by the bank. */
function selectPaid({ db }: Context, purchaseId: string) {
  return db
    .select({
      method: payments.method,
      amountRefunded: payments.refundedMinor,
      amountChargedBack: payments.lostMinor,
    })
    .from(grants)
    .innerJoin(payments, eq(payments.id, grants.paymentId))
    .where(eq(grants.purchaseId, purchaseId))
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
  const cancelled = alias(creditNotes, 'cancelled')
  const isCancelled = and(
    eq(creditNotes.isCancellation, true),
    eq(cancelled.refundId, creditNotes.refundId),
    eq(cancelled.isCancellation, false),
  )
  return db
    .select({
      note: creditNotes,
      receipt: receipts,
      purchase: purchases,
      paymentId: grants.paymentId,
      cancelled,
    })
    .from(creditNotes)
    .leftJoin(cancelled, isCancelled)
    .innerJoin(receipts, eq(receipts.purchaseId, creditNotes.purchaseId))
    .innerJoin(purchases, eq(purchases.id, creditNotes.purchaseId))
    .innerJoin(grants, eq(grants.purchaseId, creditNotes.purchaseId))
    .orderBy(asc(creditNotes.issuedAt), asc(creditNotes.number))
    .$dynamic()
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

function commonOf({ receipt, purchase, paymentId }: Omit<Noted[number], 'note' | 'cancelled'>) {
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

function taxOf({ cgstMinor: cgst, sgstMinor: sgst, igstMinor: igst }: Taxed) {
  return { cgst, sgst, igst }
}

function partsOf(taxed: Taxed, totalMinor: number, sign: 1 | -1) {
  const { cgst, sgst, igst } = taxOf(taxed)
  return {
    taxable: sign * (totalMinor - cgst - sgst - igst),
    cgst: sign * cgst,
    sgst: sign * sgst,
    igst: sign * igst,
    total: sign * totalMinor,
  }
}
