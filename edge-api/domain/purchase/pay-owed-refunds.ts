import { eq, sql } from 'drizzle-orm'
import { z } from '../../../src/contract/zod.ts'
import { owedRefunds, purchases } from '../../db/schema/purchases.ts'
import type { Context } from '../context.ts'
import { minutes } from '../time.ts'
import { factsOf, GatewayRefused, GatewayUnavailable } from '../ports/payments.ts'
import { recordCause } from './record-cause.ts'
import { settle } from './settle.ts'
import { refunded } from './settling/expressions.ts'

const PER_RUN = 10
const PAUSE_MS = minutes(10)

const OwedRefund = z.object({
  paymentId: z.string(),
  purchaseId: z.string(),
  /** The amount that is not refunded yet, in minor units. */
  amountMinor: z.int(),
  /** Refunds of this payment that failed; the next one needs an idempotency key of its own. */
  failed: z.int(),
  attempts: z.int(),
})
type OwedRefund = z.output<typeof OwedRefund>

/**
 * Refunds extra money. Each run claims what it tries, and the idempotency key makes a repetition the same refund. The
 * state changes only through `settle`.
 */
export async function payOwedRefunds(ctx: Context): Promise<void> {
  const [claimed] = await ctx.db.batch([claimOwed(ctx)])
  if (claimed.length === 0) return
  const [owed] = await ctx.db.batch([selectOwed(ctx, claimed)])
  for (const refundOwed of z.array(OwedRefund).parse(owed)) {
    try {
      await payBack(ctx, refundOwed)
    } catch (error) {
      report(ctx, refundOwed, error)
    }
  }
}

async function payBack(ctx: Context, refundOwed: OwedRefund): Promise<void> {
  const { paymentId, amountMinor, failed } = refundOwed
  const key = failed === 0 ? `excess-${paymentId}` : `excess-${paymentId}-${failed}`
  const refund = await ctx.payments.refund({ paymentId, amountMinor, key })
  const [rows] = await ctx.db.batch([
    ctx.db.select().from(purchases).where(eq(purchases.id, refundOwed.purchaseId)),
  ])
  const storeRefundId = ctx.db
    .update(owedRefunds)
    .set({ refundId: refund.id })
    .where(eq(owedRefunds.paymentId, paymentId))
  for (const purchase of rows) {
    await settle(ctx, purchase, factsOf({ refundsAndDisputes: [refund] }), [
      storeRefundId,
      recordCause(ctx, purchase.id, 'refund of owed money'),
    ])
  }
}

function report(ctx: Context, { paymentId, attempts }: OwedRefund, error: unknown): void {
  if (error instanceof GatewayUnavailable) return
  if (error instanceof GatewayRefused) {
    ctx.log.alert('extra money could not be sent back', { paymentId, reason: error.reason })
    return
  }
  ctx.log.error('extra money could not be sent back', error, { paymentId, attempts })
}

/** Claims what is due: it is due again after a while, longer each time. */
function claimOwed({ db, now, paymentMode }: Context) {
  return db.all<{ paymentId: string }>(sql`
    UPDATE owed_refunds SET attempts = attempts + 1, due_at = ${now} + ${PAUSE_MS} * (attempts + 1)
    WHERE payment_id IN (
      SELECT o.payment_id FROM owed_refunds o JOIN purchases p ON p.id = o.purchase_id
      WHERE o.due_at <= ${now} AND o.done_at IS NULL AND p.payment_mode = ${paymentMode}
      ORDER BY o.due_at LIMIT ${PER_RUN}
    )
    RETURNING payment_id AS paymentId
  `)
}

function selectOwed({ db }: Context, claimed: readonly { paymentId: string }[]) {
  return db.all(sql`
    SELECT o.payment_id AS paymentId, o.purchase_id AS purchaseId, o.attempts,
      m.amount_minor - ${refunded} AS amountMinor, (
        SELECT count(*) FROM refunds_and_disputes t
        WHERE t.payment_id = m.id AND t.kind = 'refund' AND t.state = 'undone'
      ) AS failed
    FROM owed_refunds o JOIN payments m ON m.id = o.payment_id
    WHERE o.payment_id IN (
      SELECT f.value ->> 'paymentId' FROM json_each(${JSON.stringify(claimed)}) f
    )
  `)
}
