import type { Context } from '../domain/context.ts'
import { withLease } from '../domain/job-lease.ts'
import { auditPayments } from '../domain/purchase/audit-payments.ts'
import { payOwedRefunds } from '../domain/purchase/pay-owed-refunds.ts'
import { reconcilePurchases } from '../domain/purchase/reconcile.ts'
import { retryWebhooks } from '../domain/purchase/webhooks.ts'
import { minutes } from '../domain/time.ts'

const LEASE_MS = minutes(5)

/** Every minute, one runner at a time: finishes what webhooks and browsers left open. */
export function settleOpenPurchases(ctx: Context): Promise<void> {
  if (ctx.payments.keyId === '') return Promise.resolve()
  return withLease(ctx, { name: 'settle_open_purchases', leaseMs: LEASE_MS }, async () => {
    await retryWebhooks(ctx)
    await reconcilePurchases(ctx)
    await payOwedRefunds(ctx)
  })
}

/** Once a day: compares Razorpay's list of payments with ours. */
export function auditPurchases(ctx: Context): Promise<void> {
  if (ctx.payments.keyId === '') return Promise.resolve()
  return withLease(ctx, { name: 'audit_purchases', leaseMs: LEASE_MS }, () => auditPayments(ctx))
}
