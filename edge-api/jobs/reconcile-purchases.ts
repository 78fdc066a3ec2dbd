import type { Context } from '../domain/context.ts'
import { withLease } from '../domain/job-lease.ts'
import { alertOfSilence } from '../domain/purchase/alert-of-silence.ts'
import { auditPayments } from '../domain/purchase/audit-payments.ts'
import { payOwedRefunds } from '../domain/purchase/pay-owed-refunds.ts'
import { reconcilePurchases } from '../domain/purchase/reconcile.ts'
import { retryWebhooks } from '../domain/purchase/webhooks.ts'
import { hours, minutes } from '../domain/time.ts'

const LEASE_MS = minutes(5)
/** Two days, so that an audit that failed is made up for by the next. */
const AUDIT_SPAN_MS = hours(48)

/** Every minute, one runner at a time: finishes what webhooks and browsers left open. */
export function settleOpenPurchases(ctx: Context): Promise<void> {
  if (ctx.payments.keyId === '') return Promise.resolve()
  return withLease(ctx, { name: 'settle_open_purchases', leaseMs: LEASE_MS }, async () => {
    await retryWebhooks(ctx)
    await reconcilePurchases(ctx)
    await payOwedRefunds(ctx)
  })
}

/** Once a day: compares what Razorpay lists with ours. */
export async function auditPurchases(ctx: Context): Promise<void> {
  if (ctx.payments.keyId === '') return
  await withLease(ctx, { name: 'audit_purchases', leaseMs: LEASE_MS }, async () => {
    await alertOfSilence(ctx)
    await auditPayments(ctx, { since: ctx.now - AUDIT_SPAN_MS })
  })
}
