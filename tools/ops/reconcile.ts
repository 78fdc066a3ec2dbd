import type { Context } from '../../edge-api/domain/context.ts'
import { GatewayRefused, GatewayUnavailable } from '../../edge-api/domain/ports/payments.ts'
import { type AuditReport, auditPayments } from '../../edge-api/domain/purchase/audit-payments.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'

/**
 * Reads payments, refunds and disputes since a day from Razorpay and settles what is missing here, as the daily audit
 * does. Throws a LaunchError when Razorpay cannot be asked.
 *
 * @param since a date, or an instant such as `2026-11-20T10:30Z`
 */
export async function reconcile(ctx: Context, since: string): Promise<AuditReport> {
  const from = Date.parse(since)
  if (!(from < ctx.now)) {
    throw new LaunchError(`--since ${since} is no day of the past. Write it as 2026-11-20.`)
  }
  if (ctx.payments.keyId === '') {
    throw new LaunchError('Payments are not configured: the line above names the variable.')
  }
  try {
    return await auditPayments(ctx, { since: from })
  } catch (error) {
    if (!(error instanceof GatewayUnavailable || error instanceof GatewayRefused)) throw error
    throw new LaunchError(
      `Razorpay cannot be asked: ${error.message}. Nothing is lost. Run this again.`,
    )
  }
}

/** What a reconciliation did, a line for each kind, and what is left to do by hand. */
export function describeReport({
  compared,
  found,
  foreign,
  failed,
  isWhole,
}: AuditReport): string[] {
  const list = (ids: string[]) => `${ids.length} (${ids.join(', ')})`
  return [
    `Compared ${compared} payments, refunds and disputes.`,
    ...(found.length > 0 ? [`Settled ${list(found)}.`] : []),
    ...(found.length === 0 && failed.length === 0 ? ['Nothing was missing.'] : []),
    ...(foreign.length === 0
      ? []
      : [
          `Of no account or purchase here: ${list(foreign)}. Look them up in Razorpay's dashboard and refund those of this site.`,
        ]),
    ...(failed.length === 0 ? [] : [`Not settled: ${list(failed)}. Run this again.`]),
    ...(isWhole ? [] : ['Razorpay has more than it lists at once: the lines above say of what.']),
  ]
}

/** Whether everything at Razorpay is accounted for here. */
export function isReconciled({ foreign, failed, isWhole }: AuditReport): boolean {
  return isWhole && foreign.length === 0 && failed.length === 0
}
