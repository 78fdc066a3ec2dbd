import { Currency } from './currency.ts'
import { defineEndpoint, success } from './endpoint.ts'
import { CURSOR_MAX, EMAIL_MAX, NAME_MAX, PAGE_SIZE_MAX } from './limits.ts'
import { PurchaseView } from './purchase.ts'
import { Id, Instant, Month } from './text.ts'
import { PageQuery } from './usage.ts'
import { z } from './zod.ts'

/**
 * How a purchase stands in its buyer's list, in one word. `not_completed`: nothing was paid. `confirming`: a payment is on its
 * way. `charged_back`: the money went back in a dispute alone. The others say what they name.
 */
export const ListedState = z.enum([
  'not_completed',
  'confirming',
  'paid',
  'review',
  'disputed',
  'refund_requested',
  'refunded',
  'charged_back',
])
export type ListedState = z.infer<typeof ListedState>

export const Purchase = PurchaseView.extend({
  state: ListedState,
  receiptNumber: z.string().max(40).nullable(),
  /** Minor units. */
  amountRefunded: z.int(),
  method: z.string().max(40).nullable(),
  /** The end of the time in which its buyer may ask for a refund; null once it is over or a refund was requested. */
  refundableUntil: Instant.nullable(),
  /** The refund that its buyer, or an admin for the buyer, requested; `sentAt` as in `RefundQuote`. Minor units. */
  refund: z.object({ amount: z.int(), askedAt: Instant, sentAt: Instant.nullable() }).nullable(),
})
export type Purchase = z.infer<typeof Purchase>

export const purchasesEndpoint = defineEndpoint({
  id: 'purchases',
  method: 'GET',
  path: '/api/payment/purchases',
  access: 'session',
  query: PageQuery.extend({ cursor: Id.optional() }),
  success: success({
    purchases: z.array(Purchase).max(PAGE_SIZE_MAX),
    nextCursor: z.string().max(CURSOR_MAX).nullable(),
  }),
})

/** The contents of a tax invoice besides the receipt. */
export const InvoiceDetails = z.object({
  sellerAddress: z.string().max(400),
  sellerGstin: z.string().max(15),
  /** Services accounting code. */
  sac: z.string().max(8),
  placeOfSupply: z.string().max(60),
  note: z.string().max(200).nullable(),
  buyerName: z.string().max(120).nullable(),
  buyerAddress: z.string().max(300).nullable(),
  buyerGstin: z.string().max(15).nullable(),
})
export type InvoiceDetails = z.infer<typeof InvoiceDetails>

/** Parts of an amount that includes them, in minor units: central, state and integrated tax. */
const TaxParts = z.object({ cgst: z.int(), sgst: z.int(), igst: z.int() })

/** The number of the credit note that this one cancels. */
const Cancels = z.string().max(40).nullable()

/** A receipt. Amounts are in minor units of its currency; lines and tax add up to the total. */
export const Receipt = z.object({
  number: z.string().max(40),
  purchaseId: Id,
  issuedAt: Instant,
  seller: z.object({ name: z.string().max(120), email: z.string().max(EMAIL_MAX) }),
  buyer: z.object({ name: z.string().max(2 * NAME_MAX + 1), email: z.string().max(EMAIL_MAX) }),
  lines: z
    .array(z.object({ description: z.string().max(200), quantity: z.int(), amount: z.int() }))
    .max(20),
  tax: z.int(),
  total: z.int(),
  currency: Currency,
  paymentId: z.string().max(40),
  method: z.string().max(40).nullable(),
  amountRefunded: z.int(),
  /** What the bank returned to the buyer in disputes. There is no credit note for it. */
  amountChargedBack: z.int(),
  /** Null where no tax is charged. */
  invoice: InvoiceDetails.extend({ ...TaxParts.shape, ratePercent: z.number() }).nullable(),
  /**
   * One for each completed refund. One of an earlier version with amounts below zero cancels another. Amounts include tax.
   */
  creditNotes: z
    .array(
      TaxParts.extend({
        number: z.string().max(40),
        issuedAt: Instant,
        amount: z.int(),
        cancels: Cancels,
      }),
    )
    .max(100),
})
export type Receipt = z.infer<typeof Receipt>

/**
 * A receipt, a credit note or, by an earlier version, the cancellation of one, as a line of the books. Amounts in minor units; those
 * of credit notes are negative.
 */
export const ReceiptRow = z.object({
  kind: z.enum(['receipt', 'credit_note', 'cancellation']),
  number: z.string().max(40),
  issuedAt: Instant,
  /** For a credit note: of the receipt that it belongs to. */
  receiptNumber: z.string().max(40),
  cancels: Cancels,
  buyerName: z.string().max(120),
  buyerEmail: z.string().max(EMAIL_MAX),
  buyerGstin: z.string().max(15).nullable(),
  placeOfSupply: z.string().max(60).nullable(),
  sac: z.string().max(8).nullable(),
  currency: Currency,
  ratePercent: z.number(),
  taxable: z.int(),
  ...TaxParts.shape,
  total: z.int(),
  paymentId: z.string().max(40),
})
export type ReceiptRow = z.infer<typeof ReceiptRow>

export const receiptsEndpoint = defineEndpoint({
  id: 'receipts',
  method: 'GET',
  path: '/api/payment/receipts',
  access: 'session',
  /** In India time. */
  query: z.object({ month: Month }),
  success: success({ rows: z.array(ReceiptRow).max(1_000) }),
})

export const receiptEndpoint = defineEndpoint({
  id: 'receipt',
  method: 'GET',
  path: '/api/payment/receipts/{purchaseId}',
  access: 'session',
  params: z.object({ purchaseId: Id }),
  success: success({ receipt: Receipt }),
  errors: ['NOT_FOUND'],
})
