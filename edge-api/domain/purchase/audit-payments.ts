import { sql } from 'drizzle-orm'
import { z } from '../../../src/contract/zod.ts'
import type { Context } from '../context.ts'
import { hours } from '../time.ts'
import { type Facts, factsOf, type PaymentFact } from '../ports/payments.ts'
import { purchasesOfFacts } from './find-purchase.ts'
import { fetchRefunds } from './fetch-facts.ts'
import { settle } from './settle.ts'

const SPAN_MS = hours(48)

/**
 * Once a day: every captured payment that Razorpay lists for the last two days must back a grant or be owed back, and
 * its refunds must be known here. Any other payment is settled and raises an alert.
 */
export async function auditPayments(ctx: Context): Promise<void> {
  const { payments, isWhole } = await ctx.payments.paymentsBetween(ctx.now - SPAN_MS, ctx.now)
  if (!isWhole) {
    ctx.log.alert('the audit did not see every payment', { listed: payments.length })
  }
  const captured = payments.filter(({ status }) => status === 'captured')
  const [rows] = await ctx.db.batch([selectUnaccounted(ctx, captured)])
  const unaccounted = new Set(
    z
      .array(z.object({ id: z.string() }))
      .parse(rows)
      .map(({ id }) => id),
  )
  for (const payment of captured.filter(({ paymentId }) => unaccounted.has(paymentId))) {
    try {
      await accountFor(ctx, payment)
    } catch (error) {
      // The audit continues with the other payments. The next day's audit checks this one again.
      ctx.log.error('a payment could not be audited', error, { paymentId: payment.paymentId })
    }
  }
}

async function accountFor(ctx: Context, payment: PaymentFact): Promise<void> {
  const { paymentId, razorpayOrderId } = payment
  const refundsAndDisputes = await fetchRefunds(ctx, [payment])
  const facts: Facts = factsOf({ payments: [payment], refundsAndDisputes })
  const [purchases] = await ctx.db.batch([purchasesOfFacts(ctx, facts)])
  ctx.log.alert('the audit found a payment unaccounted for', {
    paymentId,
    razorpayOrderId,
    isOurs: purchases.length > 0,
  })
  for (const purchase of purchases) await settle(ctx, purchase, facts)
}

/** The payments that neither back a grant nor are owed back, or whose refunds are unknown here. */
function selectUnaccounted({ db }: Context, payments: readonly PaymentFact[]) {
  return db.all(sql`
    SELECT f.value ->> 'paymentId' AS id
    FROM json_each(${JSON.stringify(payments)}) f
    WHERE NOT EXISTS (SELECT 1 FROM grants g WHERE g.payment_id = f.value ->> 'paymentId')
        AND NOT EXISTS (SELECT 1 FROM owed_refunds o WHERE o.payment_id = f.value ->> 'paymentId')
      OR EXISTS (
        SELECT 1 FROM payments m
        WHERE m.id = f.value ->> 'paymentId'
          AND m.amount_refunded_minor < f.value ->> 'amountRefundedMinor'
      )
  `)
}
