import type { Context } from '../context.ts'
import { formatMoney } from '../format-money.ts'
import type { Facts } from '../ports/payments.ts'
import { hours, toIso } from '../time.ts'
import { decide } from './core/decide.ts'
import type { Dispute, Payment, Refund, State } from './core/state.ts'
import { atOf } from './settle.ts'

// What differs between the rows of a purchase and what Razorpay says. audit-payments.ts asks Razorpay.

/** How long a refund that is done here may still be pending in Razorpay's lists. */
const LISTS_LAG_MS = hours(1)

/** A payment, refund or dispute that an audit found. */
export interface Found {
  kind: 'payment' | 'refund' | 'dispute'
  id: string
  /** Null when it belongs to no purchase here. */
  purchaseId: string | null
  /** In words, as it is at Razorpay, and as it is here: "captured, USD 35.00, of order_…". */
  there: string
  here: string
}

/** What an audit compares. */
export type Row = Payment | Refund | Dispute

/** A captured payment, a refund or a dispute, as it is here and at Razorpay; undefined where it is unknown. */
interface Difference {
  row: Row
  here: Row | undefined
  there: Row | undefined
}

/**
 * What differs between a state and the facts, by deciding twice: with our rows, and as if we had none. Where our row would change,
 * Razorpay knows more: that is news. Where our row would still not be Razorpay's then, we contradict each other.
 */
export function compare(ctx: Context, here: State, facts: Facts) {
  const at = atOf(ctx, here)
  const after = decide(here, facts, at)
  const there = decide({ ...here, ...NOTHING }, facts, at)
  const all = rowsOf(after).map((row) => ({
    row,
    here: rowsOf(here).find(({ id }) => id === row.id),
    there: rowsOf(there).find(({ id }) => id === row.id),
  }))
  const changed = all.filter((one) => inWords(one.row) !== inWords(one.here))
  return {
    after,
    // A new payment is news with its refunds, and what was refunded of a known one is its refunds' news.
    news: changed.filter(({ row, here: known }) =>
      isPayment(row)
        ? known === undefined || changed.every((one) => !isOf(row, one.row))
        : changed.every((one) => one.here !== undefined || !isOf(one.row, row)),
    ),
    contradictions: all.filter(
      (one) => inWords(one.row) !== inWords(one.there) && !isLagging(ctx, one),
    ),
  }
}

const NOTHING = {
  payments: [],
  refunds: [],
  disputes: [],
  pendingRefunds: [],
  grant: null,
  receipt: null,
  creditNotes: [],
}

/** The captured payments, refunds and disputes of a state. */
export function rowsOf({ payments, refunds, disputes }: State): Row[] {
  return [...payments.filter(({ status }) => status === 'captured'), ...refunds, ...disputes]
}

/** Whether a row is a payment, and no refund or dispute of one. */
export const isPayment = (row: Row): row is Payment => !('kind' in row)

/** Whether the second row is a refund or dispute of the first. */
const isOf = (payment: Row, row: Row) => !isPayment(row) && row.paymentId === payment.id

function isLagging({ now }: Context, { row, there }: Difference): boolean {
  const isOpen =
    there !== undefined && !isPayment(there) && ['pending', 'open'].includes(there.state)
  return isOpen && row.updatedAt >= now - LISTS_LAG_MS
}

type Shown =
  | Pick<Payment, 'status' | 'amountMinor' | 'currency' | 'refundedMinor' | 'razorpayOrderId'>
  | Refund
  | Dispute

/** All that is compared of a row, for alerts and operators. */
export function inWords(row: Shown | undefined): string {
  if (row === undefined) return 'nothing of this purchase'
  const { amountMinor, currency } = row
  const amount = formatMoney(amountMinor, currency)
  if ('kind' in row) {
    const respondBy = row.kind === 'dispute' ? row.respondBy : null
    const answer = respondBy === null ? '' : `, to be answered by ${toIso(respondBy)}`
    return `${row.state}, ${amount}${answer}`
  }
  const { status, refundedMinor, razorpayOrderId } = row
  const refunded = refundedMinor === 0 ? '' : `, ${formatMoney(refundedMinor, currency)} refunded`
  return `${status}, ${amount}${refunded}, of ${razorpayOrderId}`
}

/** A difference in words, for reports. */
export function foundOf(purchaseId: string, { row, here, there }: Difference): Found {
  const kind = isPayment(row) ? 'payment' : row.kind
  return { kind, id: row.id, purchaseId, there: inWords(there), here: inWords(here) }
}
