import { and, eq, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { z } from '../../../src/contract/zod.ts'
import { owedRefunds, purchases } from '../../db/schema/purchases.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { minutes } from '../time.ts'
import {
  factsOf,
  GatewayRefused,
  GatewayUnavailable,
  type RefundOrDispute,
} from '../ports/payments.ts'
import { recordCause } from './record-cause.ts'
import { settle } from './settle.ts'
import { isDisputed, wentBack } from './settling/expressions.ts'
import { mailHeldRefund } from './settling/notify.ts'

const PER_RUN = 10
const PAUSE_MS = minutes(10)

const OwedRefund = z.object({
  paymentId: z.string(),
  number: z.int(),
  purchaseId: z.string(),
  /** `asked_for` and `goodwill` are of money that granted tokens; the others are extra money, all of a payment. */
  reason: z.enum(['excess', 'late', 'deleted_account', 'mismatch', 'asked_for', 'goodwill']),
  /** The amount that is still to be sent, in minor units. */
  amountMinor: z.int(),
  /**
   * Refunds of this payment that we know, failed ones too. It is part of the idempotency key: money that was sent for one
   * debt can pay another, and then the same amount is owed once more.
   */
  refunds: z.int(),
  /** Everything ever owed back of this payment, in minor units. */
  owedInAllMinor: z.int(),
  attempts: z.int(),
})
type OwedRefund = z.output<typeof OwedRefund>

/**
 * Sends the refunds of extra money, those that buyers asked for, and those of operators. Each run claims the refunds
 * that it tries, and the idempotency key makes a repetition the same refund. The state changes only through `settle`.
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
  const owed = await look(ctx, refundOwed)
  if (owed === undefined || owed.amountMinor <= 0) return
  const { paymentId, amountMinor } = owed
  const refund = await ctx.payments.refund({ paymentId, amountMinor, key: keyOf(owed) })
  await settleRefunds(ctx, owed, [refund], [storeRefundId(ctx, owed, refund.id)])
}

/**
 * Before money leaves, asks Razorpay for the refunds made so far and settles them, because a report of one may be lost
 * or false. Undefined when a person must decide: Razorpay lists a refund that is undone here, or all that is owed was sent.
 */
async function look(ctx: Context, owed: OwedRefund): Promise<OwedRefund | undefined> {
  const { paymentId } = owed
  const refunds = await ctx.payments.refundsOfPayment(paymentId)
  if (refunds.length > 0) await settleRefunds(ctx, owed, refunds)
  const [contradicted] = await ctx.db.batch([selectContradicted(ctx, refunds)])
  const [left] = await findOwed(ctx, [owed])
  const [first] =
    left === undefined ? contradicted : [...contradicted, ...sentBeyond(left, refunds)]
  if (first === undefined) return left
  ctx.log.alert('a payment contradicts itself', { paymentId, refundId: first.id })
  return undefined
}

/** Our refunds of the payment that did not fail, if this one would bring their sum above all that was ever owed. */
function sentBeyond(
  { paymentId, amountMinor, owedInAllMinor }: OwedRefund,
  refunds: readonly RefundOrDispute[],
): RefundOrDispute[] {
  const sent = refunds.filter(
    ({ state, reason }) => state !== 'undone' && reason?.includes(paymentId) === true,
  )
  const total = sent.reduce((sum, refund) => sum + refund.amountMinor, Math.max(0, amountMinor))
  return total > owedInAllMinor ? sent : []
}

/** The refunds that are undone here and not at Razorpay. */
function selectContradicted({ db }: Context, refunds: readonly RefundOrDispute[]) {
  return db.all<{ id: string }>(sql`
    SELECT t.id FROM refunds_and_disputes t
    JOIN json_each(${JSON.stringify(refunds)}) f ON f.value ->> 'id' = t.id
    WHERE t.state = 'undone' AND f.value ->> 'state' <> 'undone'
  `)
}

function keyOf({ paymentId, number, reason, amountMinor, refunds }: OwedRefund): string {
  const key = {
    asked_for: `asked-${paymentId}-${amountMinor}`,
    goodwill: `goodwill-${paymentId}-${number}-${amountMinor}`,
    extra: `excess-${paymentId}`,
  }[reason === 'asked_for' || reason === 'goodwill' ? reason : 'extra']
  return refunds === 0 ? key : `${key}-${refunds}`
}

/** How the desk's timeline names what brought the money back. */
function causeOf({ reason }: OwedRefund): string {
  if (reason === 'goodwill') return 'refund that an operator gave'
  return reason === 'asked_for' ? 'refund that the buyer asked for' : 'refund of owed money'
}

async function settleRefunds(
  ctx: Context,
  owed: OwedRefund,
  refunds: RefundOrDispute[],
  also: readonly BatchItem<'sqlite'>[] = [],
): Promise<void> {
  const facts = factsOf({ refundsAndDisputes: refunds })
  for (const purchase of await findPurchase(ctx, owed.purchaseId)) {
    await settle(ctx, purchase, facts, [...also, recordCause(ctx, purchase.id, causeOf(owed))])
  }
}

function storeRefundId({ db }: Context, { paymentId, number }: OwedRefund, refundId: string) {
  return db
    .update(owedRefunds)
    .set({ refundId })
    .where(and(eq(owedRefunds.paymentId, paymentId), eq(owedRefunds.number, number)))
}

async function report(ctx: Context, owed: OwedRefund, error: unknown): Promise<void> {
  const { paymentId, attempts } = owed
  if (error instanceof GatewayUnavailable) return
  if (!(error instanceof GatewayRefused)) {
    ctx.log.error('owed money could not be sent back', error, { paymentId, attempts })
    return
  }
  ctx.log.alert('owed money could not be sent back', { paymentId, reason: error.reason })
  if (owed.reason !== 'asked_for') return
  for (const purchase of await findPurchase(ctx, owed.purchaseId)) {
    await ctx.db.batch([mailHeldRefund(ctx, purchase)])
    ctx.waitUntil(() => deliverDueMail(ctx))
  }
}

async function findPurchase({ db }: Context, purchaseId: string) {
  const [rows] = await db.batch([db.select().from(purchases).where(eq(purchases.id, purchaseId))])
  return rows
}

/** Claims due refunds; completed ones are never due. A claimed refund is due again after a while, longer each time. */
function claimOwed({ db, now, paymentMode }: Context) {
  return db.all<Claimed>(sql`
    UPDATE owed_refunds SET attempts = attempts + 1, due_at = ${now} + ${PAUSE_MS} * (attempts + 1)
    WHERE (payment_id, number) IN (
      SELECT o.payment_id, o.number FROM owed_refunds o JOIN purchases p ON p.id = o.purchase_id
      WHERE o.due_at <= ${now} AND p.payment_mode = ${paymentMode} AND NOT ${isDisputed(sql`o.payment_id`)}
      ORDER BY o.due_at LIMIT ${PER_RUN}
    )
    RETURNING payment_id AS paymentId, number
  `)
}

type Claimed = Pick<OwedRefund, 'paymentId' | 'number'>

async function findOwed({ db }: Context, claimed: readonly Claimed[]) {
  const keys = claimed.map(({ paymentId, number }) => [paymentId, number])
  const [owed] = await db.batch([
    db.all(sql`
      SELECT o.payment_id AS paymentId, o.number, o.purchase_id AS purchaseId, o.attempts,
        o.reason, o.amount_minor - ${wentBack} AS amountMinor, (
          SELECT count(*) FROM refunds_and_disputes t
          WHERE t.payment_id = m.id AND t.kind = 'refund'
        ) AS refunds,
        (SELECT sum(e.amount_minor) FROM owed_refunds e WHERE e.payment_id = m.id) AS owedInAllMinor
      FROM owed_refunds o JOIN payments m ON m.id = o.payment_id
      WHERE (o.payment_id, o.number) IN (
        SELECT f.value ->> 0, f.value ->> 1 FROM json_each(${JSON.stringify(keys)}) f
      )
      ORDER BY o.created_at, o.number
    `),
  ])
  return z.array(OwedRefund).parse(owed)
}
