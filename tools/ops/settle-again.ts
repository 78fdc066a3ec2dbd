import { sql } from 'drizzle-orm'
import type { Database } from '../../edge-api/db/database.ts'
import { purchases } from '../../edge-api/db/schema/purchases.ts'
import { formatMoney, inFigures } from '../../edge-api/domain/format-money.ts'
import { factsOf } from '../../edge-api/domain/ports/payments.ts'
import { taxIn } from '../../edge-api/domain/purchase/core/credit-notes.ts'
import { decide } from '../../edge-api/domain/purchase/core/decide.ts'
import type { State } from '../../edge-api/domain/purchase/core/state.ts'
import { readStates } from '../../edge-api/domain/purchase/load.ts'

/** A receipt that is missing is named, and not issued: its tax does not matter. */
const SALE = { supply: 'untaxed', taxRate: 0 } as const

/**
 * What settling would change if every purchase were settled again without news, and where the tax of receipts and credit notes is
 * not that of their money: a line for each, at most `most`. It writes nothing.
 */
export async function settleAgain({ db }: { db: Database }, most: number) {
  const changes: string[] = []
  const taxes: string[] = []
  for await (const state of readStates({ db }, sql`(SELECT ${purchases.id} FROM ${purchases})`)) {
    changes.push(...differences(state))
    taxes.push(...wrongTax(state))
    if (changes.length >= most && taxes.length >= most) break
  }
  return { changes: changes.slice(0, most), wrongTax: taxes.slice(0, most) }
}

function differences(before: State): string[] {
  const { purchase } = before
  // What follows from time alone, such as an expiry, is not compared.
  const after = decide(before, factsOf({}), { now: purchase.updatedAt, sale: SALE })
  const money = (amountMinor: number) => formatMoney(amountMinor, purchase.currency)
  const changes: string[] = []
  if (after.purchase.status !== purchase.status)
    changes.push(`it is ${purchase.status}; its money says ${after.purchase.status}`)
  if (after.purchase.paidAt !== purchase.paidAt) changes.push('it was paid at another time')
  if (after.grant !== before.grant) {
    const [was, is] = [before.grant?.reversed ?? 0, after.grant?.reversed ?? 0]
    changes.push(`${inFigures(was)} of its tokens were reversed, and ${inFigures(is)} are due`)
  }
  if (after.receipt !== before.receipt) changes.push('its receipt is missing')
  for (const pending of after.pendingRefunds) {
    if (before.pendingRefunds.includes(pending)) continue
    const { amountMinor, reason, paymentId, doneAt } = pending
    const step = doneAt === null ? 'is to be sent' : 'was sent'
    changes.push(`the refund of ${money(amountMinor)} of ${paymentId} (${reason}) ${step}`)
  }
  if (after.purchase.reversedAt !== purchase.reversedAt)
    changes.push('it was reversed at another time')
  for (const payment of after.payments) {
    if (before.payments.includes(payment)) continue
    const { id, refundedMinor, lostMinor, pendingRefundMinor } = payment
    const sums = [refundedMinor, lostMinor, pendingRefundMinor].map(money)
    changes.push(
      `of ${id}, ${sums[0]} was refunded, ${sums[1]} lost, and ${sums[2]} is to be refunded`,
    )
  }
  if (after.creditNotes !== before.creditNotes) changes.push('a credit note is missing')
  return changes.map((change) => `purchase ${purchase.id}: ${change}`)
}

const TAXES = [
  ['cgstMinor', 'CGST'],
  ['sgstMinor', 'SGST'],
  ['igstMinor', 'IGST'],
] as const
type Taxed = Record<(typeof TAXES)[number][0], number>

/**
 * Where a receipt, or its credit notes, have another tax than their money: a line for each. Rows that cancel a note may be rounded
 * differently.
 */
function wrongTax({ purchase, receipt, creditNotes }: State): string[] {
  if (receipt === null) return []
  const money = (amountMinor: number) => formatMoney(amountMinor, purchase.currency)
  const sumOf = (part: 'amountMinor' | keyof Taxed) =>
    creditNotes.reduce((sum, note) => sum + note[part], 0)
  const noted = sumOf('amountMinor')
  const rounded = creditNotes.filter(({ amountMinor }) => amountMinor < 0).length
  const [due, dueOfNotes] = [taxIn(purchase.amountMinor, receipt), taxIn(noted, receipt)]
  const inWords = (of: (part: keyof Taxed) => number) =>
    TAXES.map(([part, name]) => `${money(of(part))} ${name}`).join(', ')
  const isReceiptWrong = TAXES.some(([part]) => receipt[part] !== due[part])
  const areNotesWrong = TAXES.some(([part]) => Math.abs(sumOf(part) - dueOfNotes[part]) > rounded)
  return [
    ...(isReceiptWrong
      ? [`its receipt of ${money(purchase.amountMinor)} says ${inWords((part) => receipt[part])}`]
      : []),
    ...(areNotesWrong ? [`its credit notes of ${money(noted)} take back ${inWords(sumOf)}`] : []),
  ].map((what) => `purchase ${purchase.id}: ${what}`)
}
