import { and, asc, desc, eq, lt, notInArray, sql } from 'drizzle-orm'
import { REFUND_DAYS } from '../../../src/contract/limits.ts'
import { PURCHASE } from '../../../src/contract/messages.ts'
import type {
  PurchaseState,
  purchasesEndpoint,
  receiptEndpoint,
} from '../../../src/contract/receipt.ts'
import {
  creditNotes,
  grants,
  owedRefunds,
  payments,
  purchases,
  receipts,
} from '../../db/schema/purchases.ts'
import { accountQuery, requireAccount } from '../account/account-query.ts'
import type { Context } from '../context.ts'
import { creditNoteNumber, receiptNumber } from '../format-money.ts'
import { Refusal } from '../refusal.ts'
import { days, toIso, toIsoOrNull } from '../time.ts'
import type { SessionHandler } from '../handler.ts'
import { cancelledNote, isCancelledNote } from './cancelled-note.ts'
import { ofThisMode, type Purchase } from './find-purchase.ts'
import { readInvoice } from './invoice.ts'
import { toPaymentState } from './payment-status.ts'
import { refundableUntil } from './refund-quote.ts'
import { refunded } from './settling/expressions.ts'

/** The caller's purchases, newest first, without those that never got an order. */
export const listPurchases: SessionHandler<typeof purchasesEndpoint> = async (
  ctx,
  { claims, query: { cursor, limit } },
) => {
  const { accounts, rows } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    rows: selectPurchases(ctx, { userId: claims.userId, cursor, limit: limit + 1 }),
  })
  requireAccount(accounts)
  const page = rows.slice(0, limit)
  return {
    success: true,
    purchases: page.map((row) => ({
      ...toPaymentState(row.purchase),
      state: stateOf(row),
      receiptNumber: row.receipt === null ? null : receiptNumber(row.receipt),
      amountRefunded: row.amountRefunded,
      method: row.method,
      refundableUntil: toIsoOrNull(refundableUntilOf(row, ctx.now)),
      refund: row.owed && {
        amount: row.owed.amountMinor,
        askedAt: toIso(row.owed.createdAt),
        sentAt: toIsoOrNull(row.owed.doneAt),
      },
    })),
    nextCursor: rows.length > limit ? (page.at(-1)?.purchase.id ?? null) : null,
  }
}

interface Row {
  purchase: Purchase
  owed: typeof owedRefunds.$inferSelect | null
}

function stateOf({ purchase, owed }: Row): PurchaseState {
  const { status, provenAt } = purchase
  if (owed !== null) return owed.doneAt === null ? 'refund_requested' : 'refunded'
  if (status === 'paid' || status === 'review' || status === 'refunded') return status
  // A payment that is on its way must not look unpaid: the buyer would pay again.
  return status === 'authorized' || provenAt !== null ? 'confirming' : 'not_completed'
}

function refundableUntilOf({ purchase: { status, paidAt }, owed }: Row, now: number) {
  if (status !== 'paid' || paidAt === null || owed !== null) return null
  return refundableUntil(paidAt) <= now ? null : paidAt + days(REFUND_DAYS)
}

interface Page {
  userId: string
  /** The id of the last purchase on the page before; ids sort by time. */
  cursor: string | undefined
  limit: number
}

function selectPurchases(ctx: Context, { userId, cursor, limit }: Page) {
  return ctx.db
    .select({
      purchase: purchases,
      receipt: receipts,
      method: payments.method,
      amountRefunded: refundedOfGrant(),
      owed: owedRefunds,
    })
    .from(purchases)
    .leftJoin(receipts, eq(receipts.purchaseId, purchases.id))
    .leftJoin(grants, eq(grants.purchaseId, purchases.id))
    .leftJoin(payments, eq(payments.id, grants.paymentId))
    .leftJoin(
      owedRefunds,
      and(eq(owedRefunds.paymentId, grants.paymentId), eq(owedRefunds.reason, 'asked_for')),
    )
    .where(
      and(
        eq(purchases.userId, userId),
        ofThisMode(ctx),
        notInArray(purchases.status, ['creating', 'expired']),
        ...(cursor === undefined ? [] : [lt(purchases.id, cursor)]),
      ),
    )
    .orderBy(desc(purchases.id))
    .limit(limit)
}

/** How much of the payment behind the grant was refunded, in minor units. */
function refundedOfGrant() {
  return sql<number>`coalesce((
    SELECT ${refunded} FROM payments m JOIN grants g ON g.payment_id = m.id
    WHERE g.purchase_id = ${purchases.id}
  ), 0)`
}

/** The receipt as it was issued. The price includes the tax, if there is any: the line and the tax make up the total. */
export const getReceipt: SessionHandler<typeof receiptEndpoint> = async (
  ctx,
  { claims, params },
) => {
  const { accounts, rows, notes } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    rows: selectReceipt(ctx, claims.userId, params.purchaseId),
    notes: selectNotes(ctx, params.purchaseId),
  })
  requireAccount(accounts)
  const [row] = rows
  if (row === undefined) throw new Refusal('NOT_FOUND', PURCHASE.notFound)
  const { receipt, purchase, payment } = row
  const invoice = readInvoice(receipt.invoice)
  const parts = taxOf(receipt)
  const tax = parts.cgst + parts.sgst + parts.igst
  return {
    success: true,
    receipt: {
      number: receiptNumber(receipt),
      purchaseId: purchase.id,
      issuedAt: toIso(receipt.issuedAt),
      seller: { name: receipt.sellerName, email: receipt.sellerEmail },
      buyer: { name: receipt.buyerName, email: receipt.buyerEmail },
      lines: [
        {
          description: receipt.line,
          quantity: 1,
          amount: purchase.amountMinor - tax,
        },
      ],
      tax,
      total: purchase.amountMinor,
      currency: purchase.currency,
      paymentId: payment.id,
      method: payment.method,
      amountRefunded: row.amountRefunded,
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

interface TaxColumns {
  cgstMinor: number
  sgstMinor: number
  igstMinor: number
}

function taxOf({ cgstMinor, sgstMinor, igstMinor }: TaxColumns) {
  return { cgst: cgstMinor, sgst: sgstMinor, igst: igstMinor }
}

/** The credit notes of a purchase; as many as a receipt shows. */
function selectNotes({ db }: Context, purchaseId: string) {
  return db
    .select({ note: creditNotes, cancelled: cancelledNote })
    .from(creditNotes)
    .leftJoin(cancelledNote, isCancelledNote)
    .where(eq(creditNotes.purchaseId, purchaseId))
    .orderBy(asc(creditNotes.issuedAt), asc(creditNotes.number))
    .limit(100)
}

function selectReceipt(ctx: Context, userId: string, purchaseId: string) {
  return ctx.db
    .select({
      receipt: receipts,
      purchase: purchases,
      payment: payments,
      amountRefunded: refundedOfGrant(),
    })
    .from(receipts)
    .innerJoin(purchases, eq(purchases.id, receipts.purchaseId))
    .innerJoin(grants, eq(grants.purchaseId, purchases.id))
    .innerJoin(payments, eq(payments.id, grants.paymentId))
    .where(and(eq(purchases.id, purchaseId), eq(purchases.userId, userId), ofThisMode(ctx)))
}
