import { eq, sql } from 'drizzle-orm'
import { z } from '../../../src/contract/zod.ts'
import { owedRefunds, purchases } from '../../db/schema/purchases.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { minutes } from '../time.ts'
import { factsOf, GatewayRefused, GatewayUnavailable, type Facts } from '../ports/payments.ts'
import { recordCause } from './record-cause.ts'
import { settle } from './settle.ts'
import { wentBack } from './settling/expressions.ts'
import { mailHeldRefund } from './settling/notify.ts'

const PER_RUN = 10
const PAUSE_MS = minutes(10)

const OwedRefund = z.object({
  paymentId: z.string(),
  purchaseId: z.string(),
  /** Whether its buyer asked for it; else it is extra money. */
  isAskedFor: z.int().transform(Boolean),
  /** The amount that did not go back yet, in minor units. */
  amountMinor: z.int(),
  /** Refunds of this payment that failed; the next one needs an idempotency key of its own. */
  failed: z.int(),
  attempts: z.int(),
})
type OwedRefund = z.output<typeof OwedRefund>

/**
 * Refunds extra money and what buyers asked for. Each run claims what it tries, and the idempotency key makes a repetition
 * the same refund. The state changes only through `settle`.
 */
export async function payOwedRefunds(ctx: Context): Promise<void> {
  const [claimed] = await ctx.db.batch([claimOwed(ctx)])
  if (claimed.length === 0) return
  for (const refundOwed of await findOwed(ctx, claimed)) {
    try {
      await payBack(ctx, refundOwed)
    } catch (error) {
      await report(ctx, refundOwed, error)
    }
  }
}

async function payBack(ctx: Context, refundOwed: OwedRefund): Promise<void> {
  const owed = refundOwed.isAskedFor ? await lookAgain(ctx, refundOwed) : refundOwed
  if (owed.amountMinor <= 0) return
  const { paymentId, amountMinor } = owed
  const refund = await ctx.payments.refund({ paymentId, amountMinor, key: keyOf(owed) })
  await settleRefunds(ctx, owed, factsOf({ refundsAndDisputes: [refund] }), refund.id)
}

/**
 * Of a part of a payment, more could go back by mistake: with another amount the key is another. So before each repetition
 * Razorpay is asked what went back already, and that is settled.
 */
async function lookAgain(ctx: Context, owed: OwedRefund): Promise<OwedRefund> {
  if (owed.attempts <= 1) return owed
  const refunds = await ctx.payments.refundsOfPayment(owed.paymentId)
  await settleRefunds(ctx, owed, factsOf({ refundsAndDisputes: refunds }), null)
  const [found] = await findOwed(ctx, [owed])
  return found ?? { ...owed, amountMinor: 0 }
}

function keyOf({ paymentId, isAskedFor, amountMinor, failed }: OwedRefund): string {
  const key = isAskedFor ? `asked-${paymentId}-${amountMinor}` : `excess-${paymentId}`
  return failed === 0 ? key : `${key}-${failed}`
}

async function settleRefunds(
  ctx: Context,
  { paymentId, purchaseId, isAskedFor }: OwedRefund,
  facts: Facts,
  refundId: string | null,
): Promise<void> {
  const storeRefundId = ctx.db
    .update(owedRefunds)
    .set({ refundId })
    .where(eq(owedRefunds.paymentId, paymentId))
  const cause = isAskedFor ? 'refund that the buyer asked for' : 'refund of owed money'
  for (const purchase of await findPurchase(ctx, purchaseId)) {
    await settle(ctx, purchase, facts, [
      ...(refundId === null ? [] : [storeRefundId]),
      recordCause(ctx, purchase.id, cause),
    ])
  }
}

async function report(ctx: Context, owed: OwedRefund, error: unknown): Promise<void> {
  const { paymentId, attempts } = owed
  if (error instanceof GatewayUnavailable) return
  if (!(error instanceof GatewayRefused)) {
    ctx.log.error('owed money could not be sent back', error, { paymentId, attempts })
    return
  }
  ctx.log.alert('owed money could not be sent back', { paymentId, reason: error.reason })
  if (!owed.isAskedFor) return
  for (const purchase of await findPurchase(ctx, owed.purchaseId)) {
    await ctx.db.batch([mailHeldRefund(ctx, purchase)])
    ctx.waitUntil(() => deliverDueMail(ctx))
  }
}

async function findPurchase({ db }: Context, purchaseId: string) {
  const [rows] = await db.batch([db.select().from(purchases).where(eq(purchases.id, purchaseId))])
  return rows
}

/** Claims what is due: it is due again after a while, longer each time. */
function claimOwed({ db, now, paymentMode }: Context) {
  return db.all<{ paymentId: string }>(sql`
    UPDATE owed_refunds SET attempts = attempts + 1, due_at = ${now} + ${PAUSE_MS} * (attempts + 1)
    WHERE payment_id IN (
      SELECT o.payment_id FROM owed_refunds o JOIN purchases p ON p.id = o.purchase_id
      WHERE o.due_at <= ${now} AND o.done_at IS NULL AND p.payment_mode = ${paymentMode}
        AND NOT ${isDisputed}
      ORDER BY o.due_at LIMIT ${PER_RUN}
    )
    RETURNING payment_id AS paymentId
  `)
}

/** While a bank has the payment of `o` in dispute, it decides what goes back. */
const isDisputed = sql`EXISTS (
  SELECT 1 FROM refunds_and_disputes t
  WHERE t.payment_id = o.payment_id AND t.kind = 'dispute' AND t.state = 'open'
)`

async function findOwed({ db }: Context, claimed: readonly { paymentId: string }[]) {
  const ids = claimed.map(({ paymentId }) => paymentId)
  const [owed] = await db.batch([
    db.all(sql`
      SELECT o.payment_id AS paymentId, o.purchase_id AS purchaseId, o.attempts,
        o.reason = 'asked_for' AS isAskedFor, o.amount_minor - ${wentBack} AS amountMinor, (
          SELECT count(*) FROM refunds_and_disputes t
          WHERE t.payment_id = m.id AND t.kind = 'refund' AND t.state = 'undone'
        ) AS failed
      FROM owed_refunds o JOIN payments m ON m.id = o.payment_id
      WHERE o.payment_id IN (SELECT f.value FROM json_each(${JSON.stringify(ids)}) f)
    `),
  ])
  return z.array(OwedRefund).parse(owed)
}
