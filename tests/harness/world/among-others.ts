import { type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { owedRefunds } from '../../../edge-api/db/schema/purchases.ts'
import type { Context } from '../../../edge-api/domain/context.ts'
import {
  type Facts,
  factsOf,
  type PaymentFact,
  type RefundOrDispute,
} from '../../../edge-api/domain/ports/payments.ts'
import type { Purchase } from '../../../edge-api/domain/purchase/find-purchase.ts'
import { settle } from '../../../edge-api/domain/purchase/settle.ts'
import { createAccount } from './account.ts'
import { memoryWorld } from './memory-world.ts'
import { createPurchase, paymentFor, refundOf } from './purchase.ts'
import { PLAN_IN_INR } from './refund.ts'

type Overrides = Parameters<typeof createPurchase>[2]
type Writes = (ctx: Context, purchase: Purchase) => BatchItem<'sqlite'>

const read = (facts: unknown): unknown => JSON.parse(String(facts))

/**
 * A purchase to which something happens while the same happens to others at the same instant: to one of somebody else before
 * it, in another currency, to a later one of its owner at another price, and to one whose account is deleted.
 */
export async function openAmongOthers() {
  const world = memoryWorld()
  const run = (...statements: [SQL, ...SQL[]]) => {
    const { db } = world.ctx()
    const [first, ...others] = statements
    return db.batch([db.run(first), ...others.map((one) => db.run(one))])
  }
  let payments = 0
  const sell = async (overrides: Overrides = {}, owner?: string) => {
    // Ids follow the clock, so that rows have one order.
    world.advance(1_000)
    const userId = owner ?? (await createAccount(world.ctx())).userId
    const purchase = await createPurchase(world.ctx(), userId, overrides)
    const pay = (parts: Partial<PaymentFact> = {}) => {
      payments += 1
      return paymentFor(purchase, {
        paymentId: `pay_EMU${String(payments).padStart(11, '0')}`,
        ...parts,
      })
    }
    const payment = pay()
    return {
      purchase,
      payment,
      /** Another payment on its order. */
      pay,
      refund: (parts: Partial<RefundOrDispute>) => refundOf(payment, parts),
      /** Settles facts at this instant. */
      tell: (parts: Partial<Facts>) => settle(world.ctx(), purchase, factsOf(parts)),
      /** Owes a part of the payment back at this instant. */
      owe: (parts: Pick<typeof owedRefunds.$inferInsert, 'reason' | 'amountMinor' | 'number'>) => {
        const { db, now } = world.ctx()
        const tokens = parts.reason === 'asked_for' ? 5 : 0
        const { paymentId } = payment
        const row = { paymentId, purchaseId: purchase.id, createdAt: now, dueAt: now, tokens }
        return db.batch([db.insert(owedRefunds).values({ ...row, ...parts })])
      },
    }
  }
  const before = await sell(PLAN_IN_INR)
  const mine = await sell()
  const after = await sell({ amountMinor: 1_900 }, mine.purchase.userId)
  const gone = await sell()
  return {
    world,
    sell,
    mine,
    gone,
    all: [before, mine, after, gone],
    email: String(
      world.read(`SELECT email FROM users WHERE id = '${mine.purchase.userId}'`)[0]?.['email'],
    ),
    deleteAccount: () =>
      run(sql`UPDATE users SET deleted_at = 1 WHERE id = ${gone.purchase.userId}`),
    /** What a statement writes at this instant into the outbox and the history, which are empty. */
    written: async (writes: Writes, { purchase }: { purchase: Purchase } = mine) => {
      await run(sql`DELETE FROM mails`, sql`DELETE FROM account_events`)
      await world.ctx().db.batch([writes(world.ctx(), purchase)])
      const rows = world.read(`
        SELECT id, user_id, kind, to_address, payload AS facts FROM mails
        UNION ALL SELECT id, user_id, kind, '', detail FROM account_events`)
      return rows.map(({ id, user_id: userId, kind, to_address: to, facts }) => ({
        id,
        userId,
        kind,
        to,
        facts: read(facts),
      }))
    },
  }
}
