import type { Context } from '../../edge-api/domain/context.ts'
import { GatewayRejected, GatewayUnavailable } from '../../edge-api/domain/ports/payments.ts'
import type { Found } from '../../edge-api/domain/purchase/audit-differences.ts'
import { type AuditReport, auditPayments } from '../../edge-api/domain/purchase/audit-payments.ts'
import { days } from '../../edge-api/domain/time.ts'
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
    return await auditPayments(ctx, { since })
  } catch (error) {
    if (!(error instanceof GatewayUnavailable || error instanceof GatewayRejected)) throw error
    throw new LaunchError(
      `Razorpay cannot be asked: ${error.message}. Nothing is lost. Run this again.`,
    )
  }
}

/** The results of a reconciliation, a line each, and the work left to do by hand. */
export function describeReport(report: AuditReport): string[] {
  const { compared, found, foreign, contradicted, failed, isWhole } = report
  const isQuiet = [found, contradicted, failed].every((list) => list.length === 0)
  return [
    `Compared ${compared} payments, refunds, disputes and grants.`,
    ...(isQuiet ? ['Nothing was missing.'] : []),
    ...found.map((entry) => `Settled: ${subjectOf(entry)}, ${entry.there}.`),
    ...contradicted.map(
      (entry) =>
        `Contradicted: ${subjectOf(entry)}: here ${entry.here}; at Razorpay ${entry.there}.`,
    ),
    ...(contradicted.length === 0
      ? []
      : ['Nothing was changed about what is contradicted. Run verify-ledger, and ask Razorpay.']),
    ...foreign.map(
      (entry) => `Of no account or purchase here: ${subjectOf(entry)}, ${entry.there}.`,
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

/** Whether everything at Razorpay is accounted for here, and everything here at Razorpay. */
export function isReconciled({ foreign, contradicted, failed, isWhole }: AuditReport): boolean {
  return isWhole && [foreign, contradicted, failed].every((list) => list.length === 0)
}
