import { sql, type SQL } from 'drizzle-orm'
import { expect } from 'vitest'
import type { Purchase } from '../../../edge-api/domain/purchase/find-purchase.ts'
import { createAccount } from './account.ts'
import { emptyWorld } from './empty-world.ts'
import { createPurchase, openUnpaidPurchase, outcomeOf, paymentFor, refundOf } from './purchase.ts'

const TAKEN_BACK = 'a purchase cannot be deleted'

/** A paid purchase with a refund, an extra payment, and an unpaid second purchase; and a way to try statements on them. */
export async function openGuards() {
  const opened = await openUnpaidPurchase({}, await emptyWorld())
  const { world, purchase } = opened
  const payment = paymentFor(purchase)
  const extra = paymentFor(purchase)
  const refund = refundOf(payment, { amountMinor: 500 })
  await opened.report({ payments: [payment] })
  await opened.report({ payments: [extra], refundsAndDisputes: [refund] })
  const unpaid = await createPurchase(world.ctx(), purchase.userId)
  const stranger = await createAccount(world.ctx())
  const attempt = (...statements: SQL[]) => {
    const { db } = world.ctx()
    return db.batch({ tried: statements.map((statement) => db.run(statement)) })
  }
  return {
    ...{ world, purchase, payment, extra, refund, unpaid, stranger, attempt },
    /** The state of both purchases. */
    outcome: async () => ({
      paid: await opened.outcome(),
      unpaid: await outcomeOf(world.ctx(), unpaid),
    }),
    /**
     * Tries statements, each trial by its name, and expects that the database refuses them with these words; null when it
     * accepts them. A last statement that is always refused rolls each trial back, so no trial sees another.
     */
    tryAll: async (refusal: string | null, trials: Record<string, SQL | SQL[]>) => {
      for (const [what, tried] of Object.entries(trials)) {
        const trial = attempt(...[tried].flat(), sql`DELETE FROM purchases`)
        await expect(trial, what).rejects.toThrow(refusal ?? TAKEN_BACK)
      }
    },
  }
}

/** A captured payment that matches a purchase, except for these values. */
export function storePayment(
  purchase: Purchase,
  {
    id = 'pay_EMUtried000000',
    order = purchase.razorpayOrderId,
    amount = purchase.amountMinor,
    currency = 'USD',
    rank = 3,
    refunded = 0,
  } = {},
): SQL {
  return sql`
    INSERT INTO payments (id, purchase_id, razorpay_order_id, amount_minor, currency, rank,
      amount_refunded_minor, created_at, updated_at)
    VALUES (${id}, ${purchase.id}, ${order}, ${amount}, ${currency}, ${rank}, ${refunded}, 1, 1)`
}

/** The grant of a purchase for the payment of `storePayment`, except for these values. */
export function storeGrant(
  { id, userId, tokens }: Purchase,
  given: {
    purchase?: string
    payment?: string
    user?: string
    tokens?: number
    mode?: string
  } = {},
): SQL {
  const { purchase = id, payment = 'pay_EMUtried000000', mode = 'emulator' } = given
  return sql`
    INSERT INTO grants (purchase_id, payment_id, user_id, tokens, payment_mode, granted_at)
    VALUES (${purchase}, ${payment}, ${given.user ?? userId}, ${given.tokens ?? tokens}, ${mode}, 1)`
}

/** An entry of the ledger. */
export function enter(entry: {
  ref: string
  user: string
  kind: string
  tokens: number
  purchase?: string
  mode?: string
  at?: number
}): SQL {
  const { ref, user, kind, tokens, purchase = null, mode = 'emulator', at = 1 } = entry
  return sql`
    INSERT INTO ledger (ref, user_id, kind, tokens, purchase_id, payment_mode, created_at)
    VALUES (${ref}, ${user}, ${kind}, ${tokens}, ${purchase}, ${mode}, ${at})`
}

/** An operator's entry, and the tokens that it gives to a user or takes. */
export function give(user: string, tokens: number, mode = 'emulator'): SQL[] {
  return [
    sql`
      INSERT INTO desk_acts (id, operator_id, kind, user_id, reason, changes, created_at)
      VALUES (${`act_${mode}`}, 'usr_1', 'adjust_tokens', ${user}, 'a test', '{}', 1)`,
    enter({ ref: `adjustment:act_${mode}`, user, kind: 'adjustment', tokens, mode }),
  ]
}
