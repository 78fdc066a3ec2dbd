import { sql } from 'drizzle-orm'
import type { Context } from '../../edge-api/domain/context.ts'
import { GatewayRejected, GatewayUnavailable } from '../../edge-api/domain/ports/payments.ts'
import {
  type AuditReport,
  auditPayments,
  type Found,
} from '../../edge-api/domain/purchase/audit-payments.ts'
import { unlessRejected } from '../../edge-api/domain/purchase/ask-razorpay.ts'
import { days } from '../../edge-api/domain/time.ts'
import { MINOR_UNITS_PER_MAJOR } from '../../src/contract/catalogue.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'

/**
 * The instant that `--since` means, in milliseconds UTC. A date begins a day early, because it may be a day of any zone.
 * Throws a LaunchError when it is not in the past.
 *
 * @param since a date, or an instant such as `2026-11-20T10:30Z`
 */
export function startOf(since: string, now: number): number {
  const from = Date.parse(since) - (since.includes('T') ? 0 : days(1))
  if (from < now) return from
  throw new LaunchError(`--since ${since} is not a past date. Write it as 2026-11-20.`)
}

/**
 * Reads payments, refunds and disputes since an instant from Razorpay and settles what is missing here, as the daily audit
 * does. Throws a LaunchError when Razorpay cannot be asked.
 *
 * @param since milliseconds UTC
 */
export async function reconcile(ctx: Context, since: number): Promise<AuditReport> {
  if (ctx.payments.keyId === '') {
    throw new LaunchError('Payments are not configured: the line above names the variable.')
  }
  try {
    const report = await auditPayments(ctx, { since })
    await comparePending(ctx, since, report)
    return report
  } catch (error) {
    if (!(error instanceof GatewayUnavailable || error instanceof GatewayRejected)) throw error
    throw new LaunchError(
      `Razorpay cannot be asked: ${error.message}. Nothing is lost. Run this again.`,
    )
  }
}

interface Payment {
  id: string
  purchaseId: string
  razorpayOrderId: string
  amountMinor: number
  currency: string
}

/**
 * The audit compares the payments behind grants. This compares the others, which are refunded whole: those since then, and
 * those whose refund is still pending.
 */
async function comparePending(ctx: Context, since: number, report: AuditReport): Promise<void> {
  const [rows] = await ctx.db.batch([
    ctx.db.all<Payment>(sql`
      SELECT m.id, m.purchase_id AS purchaseId, m.razorpay_order_id AS razorpayOrderId, m.amount_minor AS amountMinor, m.currency
      FROM payments m
      JOIN owed_refunds o ON o.payment_id = m.id AND o.number = 0
      JOIN purchases p ON p.id = m.purchase_id
      WHERE p.payment_mode = ${ctx.paymentMode} AND (m.updated_at >= ${since} OR o.done_at IS NULL)`),
  ])
  report.compared += rows.length
  for (const { id, purchaseId, razorpayOrderId, amountMinor, currency } of rows) {
    const there = await unlessRejected(ctx.payments.fetchPayment(id))
    const isSame =
      there?.status === 'captured' &&
      there.razorpayOrderId === razorpayOrderId &&
      there.amountMinor === amountMinor &&
      there.currency === currency
    if (isSame) continue
    const here = { state: 'captured', amountMinor, currency }
    report.contradicted.push({
      kind: 'payment',
      id,
      purchaseId,
      there: there && { ...there, state: there.status },
      here,
    })
  }
}

/** The results of a reconciliation, a line each, and the work left to do by hand. */
export function describeReport(report: AuditReport): string[] {
  const { compared, found, foreign, contradicted, failed, isWhole } = report
  const isQuiet = [found, contradicted, failed].every((list) => list.length === 0)
  return [
    `Compared ${compared} payments, refunds, disputes and grants.`,
    ...(isQuiet ? ['Nothing was missing.'] : []),
    ...found.map((entry) => `Settled: ${subjectOf(entry)}, ${sayOf(entry.there)}.`),
    ...contradicted.map(
      (entry) =>
        `Contradicted: ${subjectOf(entry)}: here ${sayOf(entry.here)}; at Razorpay ${sayOf(entry.there)}.`,
    ),
    ...(contradicted.length === 0
      ? []
      : ['Nothing was changed about what is contradicted. Run verify-ledger, and ask Razorpay.']),
    ...foreign.map(
      (entry) => `Of no account or purchase here: ${subjectOf(entry)}, ${sayOf(entry.there)}.`,
    ),
    ...(foreign.length === 0
      ? []
      : ["Look those up in Razorpay's dashboard and refund those of this site."]),
    ...(failed.length === 0
      ? []
      : [`Not settled: ${failed.length} (${failed.join(', ')}). Run this again.`]),
    ...(isWhole ? [] : ['Razorpay has more than it lists at once: the lines above say of what.']),
  ]
}

function subjectOf({ kind, id, purchaseId }: Found): string {
  return `${purchaseId === null ? '' : `purchase ${purchaseId}, `}${kind} ${id}`
}

/** "captured, $35.00". */
function sayOf(known: Found['here']): string {
  if (known === null) return 'unknown'
  const { state, amountMinor, currency } = known
  const money = (amountMinor / MINOR_UNITS_PER_MAJOR).toLocaleString('en-US', {
    style: 'currency',
    currency,
  })
  return `${state}, ${money}`
}

/** Whether everything at Razorpay is accounted for here, and everything here at Razorpay. */
export function isReconciled({ foreign, contradicted, failed, isWhole }: AuditReport): boolean {
  return isWhole && [foreign, contradicted, failed].every((list) => list.length === 0)
}
