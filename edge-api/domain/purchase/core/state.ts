import type * as rows from '../../../db/schema/purchases.ts'
import type { DisputeFact, RefundFact } from '../../ports/payments.ts'
import { minutes } from '../../time.ts'
import type { Purchase } from '../purchase.ts'

/**
 * Everything that a decision about a purchase depends on: its rows, and what its buyer is. Amounts are in minor units, instants in
 * milliseconds UTC.
 */
export interface State {
  purchase: Purchase
  buyer: Buyer
  /** Payments made on this purchase's orders, in the order in which we learned of them. */
  payments: readonly Payment[]
  refunds: readonly Refund[]
  disputes: readonly Dispute[]
  /** Refunds that we owe, and those that are done (`doneAt`); one at most for each payment. A job sends them. */
  pendingRefunds: readonly PendingRefund[]
  grant: Grant | null
  receipt: Receipt | null
  creditNotes: readonly CreditNote[]
}

export type Payment = typeof rows.payments.$inferSelect
export type PendingRefund = typeof rows.pendingRefunds.$inferSelect

interface Known {
  createdAt: number
  updatedAt: number
}
/** What Razorpay last said of a refund. */
export type Refund = RefundFact & Known
/** What Razorpay last said of a dispute. */
export type Dispute = DisputeFact & Known & { asOf: number }

export interface Buyer {
  isDeleted: boolean
  name: string
  email: string
  /** The other plans that the buyer paid for. */
  plans: readonly Plan[]
}

export interface Plan {
  paidAt: number
  endsAt: number
  /** Its payment was refunded or lost in full, its refund was requested, or a bank disputes it. */
  isReversed: boolean
}

/** The tokens of the purchase. What is neither `reversed` nor `left` was used, or taken by support. */
export interface Grant {
  paymentId: string
  tokens: number
  /** Taken back so far, because money was refunded or disputed. */
  reversed: number
  left: number
  grantedAt: number
}

/** The tax in an amount. */
export type Taxed = Pick<typeof rows.receipts.$inferSelect, 'cgstMinor' | 'sgstMinor' | 'igstMinor'>
/** How a sale is taxed. The rate is in basis points: 1800 for 18 %. */
export type Sale = Pick<typeof rows.receipts.$inferSelect, 'supply' | 'taxRate'>
/** Receipts and credit notes get their numbers when they are written. */
export type Receipt = Taxed & Sale & { issuedAt: number }
export type CreditNote = Taxed &
  Pick<typeof rows.creditNotes.$inferSelect, 'refundId' | 'amountMinor' | 'issuedAt'>

/** What a decision depends on besides the state. */
export interface At {
  now: number
  /** How the purchase is taxed today. */
  sale: Sale
  /** The payment that a signature proves, and which Razorpay may not have reported yet. */
  verifiedPayment?: string | undefined
  /** Whether the reconcile job decides: it asked Razorpay about the order, the link and the refunds. */
  isReconcile?: boolean | undefined
}

/** The most by which Razorpay's clock and ours differ. */
export const CLOCK_SKEW_MS = minutes(1)

/** Whether the order is the purchase's own, or that of its link. */
export function isOrderOf(
  { razorpayOrderId, razorpayLinkOrderId }: Purchase,
  order: string,
): boolean {
  return order === razorpayOrderId || order === razorpayLinkOrderId
}

/** Whether a bank holds the money until it decides the dispute. */
export const isOpenDispute = ({ state }: Dispute) => state === 'open'

/** The refund of the granted payment that the buyer requested, or an admin did. */
export const requestedOf = ({ pendingRefunds }: State) =>
  pendingRefunds.find(({ reason }) => reason === 'asked_for')
