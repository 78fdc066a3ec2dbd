import { sql } from 'drizzle-orm'
import { z } from '../../../src/contract/zod.ts'
import type { Context } from '../context.ts'
import { days } from '../time.ts'
import { factsOf, type PaymentFact, type RefundOrDispute } from '../ports/payments.ts'
import { findByReceipt } from './find-by-receipt.ts'
import { fetchRefunds } from './fetch-facts.ts'
import { recordCause } from './record-cause.ts'
import { settle } from './settle.ts'

/** Payments are listed day by day, because one call lists only so many. */
const WINDOW_MS = days(1)
/** Refunds are listed at least so far back: one that was processed may still fail. */
const REFUNDS_MS = days(30)
/** Disputes are listed at least so far back: they take months, and may be opened again. */
const DISPUTES_MS = days(180)
/** So many refunds and disputes of ours, too old for the lists, are asked about by their ids. */
const OPEN_MAX = 100
/** So many payments are named in the alert about payments that are not ours. */
const EXAMPLES_MAX = 10

/** What an audit did. */
export interface AuditReport {
  /** Payments, refunds and disputes that were compared with ours. */
  compared: number
  /** The ids of those that were unknown or different here and have been settled. */
  found: string[]
  /** The ids of captured payments that belong to no purchase of ours. */
  foreign: string[]
  /** The ids of payments, refunds and disputes that could not be asked about or settled. The next audit tries them again. */
  failed: string[]
  /** False when Razorpay had more than could be listed. */
  isWhole: boolean
}

/**
 * Compares Razorpay's payments, refunds and disputes with ours, from `since` (milliseconds UTC) until now. Every captured
 * payment must back a grant or be owed back, and its refunds and disputes must be known as they are. Refunds and disputes
 * that are open here are asked about however old they are. Settles what differs and raises an alert that says what it was.
 */
export async function auditPayments(
  ctx: Context,
  { since }: { since: number },
): Promise<AuditReport> {
  const report: AuditReport = { compared: 0, found: [], foreign: [], failed: [], isWhole: true }
  const suspects = [
    ...(await findPayments(ctx, since, report)),
    ...(await findRefundsAndDisputes(ctx, since, report)),
  ]
  for (const suspect of suspects) {
    try {
      await accountFor(ctx, suspect, report)
    } catch (error) {
      // The audit continues with the others. The next audit checks this one again.
      const { paymentId } = suspect
      report.failed.push(paymentId)
      ctx.log.error('a payment could not be audited', error, { paymentId })
    }
  }
  alertOfForeign(ctx, report)
  return report
}

/** Something at Razorpay that is not accounted for here. */
interface Suspect {
  kind: 'payment' | RefundOrDispute['kind']
  id: string
  paymentId: string
  state: string
  amountMinor: number
  /** What was learned of it besides the payment. */
  refundsAndDisputes: RefundOrDispute[]
}

const ALERTS = {
  payment: 'the audit found a payment unaccounted for',
  refund: 'the audit found a refund unaccounted for',
  dispute: 'the audit found a dispute unaccounted for',
} as const

async function findPayments(ctx: Context, since: number, report: AuditReport) {
  const suspects: Suspect[] = []
  for (let from = since; from < ctx.now; from += WINDOW_MS) {
    const to = Math.min(from + WINDOW_MS, ctx.now)
    const { items, isWhole } = await ctx.payments.paymentsBetween(from, to)
    noteWhole(ctx, report, { kind: 'payments', listed: items.length, isWhole })
    // Oldest first, so that receipts are numbered as the payments came.
    const captured = items.filter(({ status }) => status === 'captured').toReversed()
    const ids = await idsOf(ctx, selectUnaccounted(ctx, captured))
    suspects.push(
      ...captured
        .filter(({ paymentId }) => ids.has(paymentId))
        .map(({ paymentId, status, amountMinor }) => ({
          kind: 'payment' as const,
          id: paymentId,
          paymentId,
          state: status,
          amountMinor,
          refundsAndDisputes: [],
        })),
    )
  }
  return suspects
}

async function findRefundsAndDisputes(ctx: Context, since: number, report: AuditReport) {
  const refundsFrom = Math.min(since, ctx.now - REFUNDS_MS)
  const disputesFrom = Math.min(since, ctx.now - DISPUTES_MS)
  const refunds = await ctx.payments.refundsBetween(refundsFrom, ctx.now)
  noteWhole(ctx, report, { kind: 'refunds', listed: refunds.items.length, ...refunds })
  const disputes = await ctx.payments.disputesSince(disputesFrom)
  noteWhole(ctx, report, { kind: 'disputes', listed: disputes.items.length, ...disputes })
  const listed = [...refunds.items, ...disputes.items]
  const older = await fetchOpen(ctx, new Set(listed.map(({ id }) => id)), report)
  report.compared += older.length
  const facts = [...listed, ...older]
  const ids = await idsOf(ctx, selectNews(ctx, facts))
  return facts
    .filter(({ id }) => ids.has(id))
    .map((fact): Suspect => ({ ...fact, refundsAndDisputes: [fact] }))
}

function noteWhole(
  ctx: Context,
  report: AuditReport,
  { kind, listed, isWhole }: { kind: string; listed: number; isWhole: boolean },
): void {
  report.compared += listed
  if (isWhole) return
  report.isWhole = false
  ctx.log.alert('the audit did not see everything', { kind, listed })
}

/** What Razorpay says now of the refunds and disputes that are open here and that its lists did not contain. */
async function fetchOpen(
  ctx: Context,
  listed: ReadonlySet<string>,
  report: AuditReport,
): Promise<RefundOrDispute[]> {
  const [rows] = await ctx.db.batch([selectOpen(ctx)])
  const facts: RefundOrDispute[] = []
  for (const { id, kind } of z.array(OpenRow).parse(rows)) {
    if (listed.has(id)) continue
    try {
      facts.push(
        kind === 'refund'
          ? await ctx.payments.fetchRefund(id)
          : await ctx.payments.fetchDispute(id),
      )
    } catch (error) {
      report.failed.push(id)
      ctx.log.error('a refund or dispute could not be audited', error, { id })
    }
  }
  return facts
}

async function accountFor(ctx: Context, suspect: Suspect, report: AuditReport): Promise<void> {
  const { kind, id, paymentId, state, amountMinor } = suspect
  const payment = await ctx.payments.fetchPayment(paymentId)
  const { facts, purchases } = await findByReceipt(
    ctx,
    factsOf({
      payments: [payment],
      refundsAndDisputes: [...(await fetchRefunds(ctx, [payment])), ...suspect.refundsAndDisputes],
    }),
  )
  if (purchases.length === 0) {
    report.foreign.push(paymentId)
    return
  }
  report.found.push(id)
  const { razorpayOrderId } = payment
  ctx.log.alert(ALERTS[kind], { id, paymentId, razorpayOrderId, state, amountMinor })
  for (const purchase of purchases) {
    await settle(ctx, purchase, facts, [recordCause(ctx, purchase.id, 'audit')])
  }
  if (payment.status !== 'captured') return
  const left = await idsOf(ctx, selectUnaccounted(ctx, [payment]))
  if (left.has(paymentId)) throw new Error('settling did not account for the payment')
}

/** One alert for all of them, because another site may use the same account at Razorpay. */
function alertOfForeign(ctx: Context, { foreign }: AuditReport): void {
  if (foreign.length === 0) return
  ctx.log.alert('money for an unknown order', {
    payments: foreign.length,
    paymentIds: foreign.slice(0, EXAMPLES_MAX).join(' '),
  })
}

const OpenRow = z.object({ id: z.string(), kind: z.enum(['refund', 'dispute']) })

async function idsOf(
  { db }: Context,
  select: ReturnType<Context['db']['all']>,
): Promise<ReadonlySet<string>> {
  const [rows] = await db.batch([select])
  const parsed = z.array(z.object({ id: z.string() })).parse(rows)
  return new Set(parsed.map(({ id }) => id))
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

/** The refunds and disputes of known payments that are unknown here, further on than here, or undone here alone. */
function selectNews({ db }: Context, facts: readonly RefundOrDispute[]) {
  return db.all(sql`
    SELECT f.value ->> 'id' AS id
    FROM json_each(${JSON.stringify(facts)}) f
    JOIN payments m ON m.id = f.value ->> 'paymentId'
    LEFT JOIN refunds_and_disputes t ON t.id = f.value ->> 'id'
    WHERE t.id IS NULL
      OR (t.kind = 'dispute' AND t.state <> f.value ->> 'state')
      OR (t.state = 'open' AND f.value ->> 'state' <> 'open')
      OR (t.state = 'final' AND f.value ->> 'state' = 'undone')
      OR (t.state = 'undone' AND f.value ->> 'state' = 'final')
  `)
}

function selectOpen({ db, paymentMode }: Context) {
  return db.all(sql`
    SELECT t.id, t.kind
    FROM refunds_and_disputes t
    JOIN payments m ON m.id = t.payment_id
    JOIN purchases p ON p.id = m.purchase_id
    WHERE t.state IN ('inquiry', 'open') AND p.payment_mode = ${paymentMode}
    ORDER BY t.updated_at
    LIMIT ${OPEN_MAX}
  `)
}
