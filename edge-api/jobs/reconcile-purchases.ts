import type { Context } from '../domain/context.ts'
import { alertOfSilence } from '../domain/purchase/alert-of-silence.ts'
import { auditPayments } from '../domain/purchase/audit-payments.ts'
import { payOwedRefunds } from '../domain/purchase/pay-owed-refunds.ts'
import { reconcilePurchases } from '../domain/purchase/reconcile.ts'
import { retryWebhooks } from '../domain/purchase/webhooks.ts'
import { hours } from '../domain/time.ts'

/** Two days, so that an audit that failed is made up for by the next. */
const AUDIT_SPAN_MS = hours(48)

/**
 * Every minute: finishes what webhooks and browsers left open. Runs may overlap, because each claims the rows that it
 * works on.
 */
export async function settleOpenPurchases(ctx: Context): Promise<void> {
  if (ctx.payments.keyId === '') return
  await retryWebhooks(ctx)
  await reconcilePurchases(ctx)
  await payOwedRefunds(ctx)
}

/** Once a day: compares what Razorpay lists with ours. */
export async function auditPurchases(ctx: Context): Promise<void> {
  if (ctx.payments.keyId === '') return
  await alertOfSilence(ctx)
  await auditPayments(ctx, { since: ctx.now - AUDIT_SPAN_MS })
}
