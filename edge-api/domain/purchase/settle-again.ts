import { sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { purchases } from '../../db/schema/purchases.ts'
import { formatMoney, inFigures } from '../format-money.ts'
import { factsOf } from '../ports/payments.ts'
import { decide, type State } from './core.ts'
import { readStates } from './load.ts'
import { wrongTax } from './tax.ts'

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
