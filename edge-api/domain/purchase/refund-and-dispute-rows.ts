import type { refundsAndDisputes } from '../../db/schema/purchases.ts'
import type { DisputeFact, RefundFact } from '../ports/payments.ts'
import type { Dispute, Refund } from './core/state.ts'

/*
 * Refunds and disputes share a table, and one set of words for its column `state`. The code has Razorpay's words for each. What
 * a dispute of the payment behind a grant is called where:
 *
 *     here      rows, mails, bell   sum of the payment   status     list of purchases            its plan
 *     inquiry   inquiry             –                    paid       paid                         on
 *     open      open                –                    paid       disputed                     off (`reversedAt`)
 *     won       undone              –                    paid       paid                         on
 *     lost      final               lostMinor            paid       paid                         on: a part was lost
 *     lost      final               lostMinor            refunded   charged_back, "Returned by   off; if it is the last plan, the
 *                                                                   your bank"                   subscription is `past_due`
 *
 * The receipt has the sum as `amountChargedBack`.
 */

type Row = typeof refundsAndDisputes.$inferSelect

const STORED_REFUND = { pending: 'open', processed: 'final', failed: 'undone' } as const
const STORED_DISPUTE = { inquiry: 'inquiry', open: 'open', lost: 'final', won: 'undone' } as const

/** The word for a state in rows, and for that of a dispute in stored mails and notifications. */
export const storedStateOf = (one: RefundFact | DisputeFact): Row['state'] =>
  one.kind === 'refund' ? STORED_REFUND[one.state] : STORED_DISPUTE[one.state]

/** What is stored of a refund. */
export function rowOfRefund(refund: Refund): Row {
  const rest = { phase: null, respondBy: null, asOf: refund.updatedAt }
  return { ...refund, ...rest, state: storedStateOf(refund) }
}

/** What is stored of a dispute. */
export function rowOfDispute(dispute: Dispute): Row {
  return { ...dispute, reason: null, state: storedStateOf(dispute) }
}

const REFUND = {
  inquiry: 'pending',
  open: 'pending',
  final: 'processed',
  undone: 'failed',
} as const
const DISPUTE = { inquiry: 'inquiry', open: 'open', final: 'lost', undone: 'won' } as const

/** The refunds among rows. */
export function refundsIn(rows: readonly Row[]): Refund[] {
  return rows.flatMap((row) =>
    row.kind === 'refund' ? [{ ...row, kind: row.kind, state: REFUND[row.state] }] : [],
  )
}

/** The disputes among rows. */
export function disputesIn(rows: readonly Row[]): Dispute[] {
  return rows.flatMap((row) => {
    const { kind, phase, state } = row
    return kind === 'dispute' ? [{ ...row, kind, phase: phase ?? '', state: DISPUTE[state] }] : []
  })
}
