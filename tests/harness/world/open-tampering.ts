import type { SQL } from 'drizzle-orm'
import { createAccount } from './account.ts'
import { openSale } from './open-sale.ts'
import { createPurchase, outcomeOf, paymentFor, takebackOf } from './purchase.ts'

/** A paid purchase with a refund, an extra payment, and a second purchase that nobody paid. */
export async function openTampering() {
  const sale = await openSale()
  const payment = paymentFor(sale.purchase)
  const extra = paymentFor(sale.purchase)
  const refund = takebackOf(payment, { amountMinor: 500 })
  await sale.tell({ payments: [payment] })
  await sale.tell({ payments: [extra], takebacks: [refund] })
  const unpaid = await createPurchase(sale.world.ctx(), sale.claims.userId)
  const stranger = await createAccount(sale.world.ctx())
  const attempt = (...statements: SQL[]) => {
    const { db } = sale.world.ctx()
    const [first, ...others] = statements.map((statement) => db.run(statement))
    if (first === undefined) throw new Error('nothing is attempted')
    return db.batch([first, ...others])
  }
  /** What both purchases came to. */
  const outcome = async () => ({
    paid: await sale.outcome(),
    unpaid: await outcomeOf(sale.world.ctx(), unpaid),
  })
  return { ...sale, outcome, payment, extra, refund, unpaid, stranger, attempt }
}

export type Tampering = Awaited<ReturnType<typeof openTampering>>
