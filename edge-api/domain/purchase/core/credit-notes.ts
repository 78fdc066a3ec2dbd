import { moneyOf } from './money-of.ts'
import { byBeginning, isOf, sum } from './rows.ts'
import type { CreditNote, Sale, State, Taxed } from './state.ts'

/**
 * The tax in a price that includes it, to the nearest minor unit; within a state in equal halves. The rest of the price is the
 * taxable value.
 */
export function taxIn(amountMinor: number, { supply, taxRate }: Sale): Taxed {
  const base = 10_000 + taxRate
  const tax = amountMinor - Math.floor((amountMinor * 20_000 + base) / (2 * base))
  const half = supply === 'intra_state' ? Math.floor(tax / 2) : 0
  return { cgstMinor: half, sgstMinor: half, igstMinor: supply === 'inter_state' ? tax : 0 }
}

/**
 * The credit notes, with one for each further refund of the granted payment that was processed. Their sum is no more than what was
 * refunded: a refund of 300 that failed after its note, and was sent again, gets no second note. A lost dispute gets none, nor does
 * a refund that reports it once more, unless it got its note before the loss was known.
 *
 * The tax of a note is that of the sum of all notes, less that of the notes before. So the notes of a full refund take back all of
 * the tax. Example: 100 with a tax of 18 % have a tax of 15; notes of 50 and 50 have 8 and 7.
 */
export function issueNotes(state: State, now: number): readonly CreditNote[] {
  const { receipt, grant, refunds, creditNotes } = state
  if (receipt === null || grant === null) return creditNotes
  const { reportedTwice } = moneyOf(state, grant.paymentId)
  const processed = refunds
    .filter(isOf(grant.paymentId))
    .filter((refund) => refund.state === 'processed' && !reportedTwice.has(refund.id))
  let unnoted = sum(processed) - sum(creditNotes)
  let notes = creditNotes
  for (const refund of processed.toSorted(byBeginning)) {
    const amountMinor = Math.min(unnoted, refund.amountMinor)
    if (amountMinor <= 0 || notes.some(({ refundId }) => refundId === refund.id)) continue
    const tax = taxIn(sum(notes) + amountMinor, receipt)
    const rest = (part: keyof Taxed) =>
      Math.max(0, tax[part] - notes.reduce((total, note) => total + note[part], 0))
    const note = {
      refundId: refund.id,
      amountMinor,
      cgstMinor: rest('cgstMinor'),
      sgstMinor: rest('sgstMinor'),
      igstMinor: rest('igstMinor'),
      issuedAt: now,
    }
    notes = [...notes, note]
    unnoted -= amountMinor
  }
  return notes
}
