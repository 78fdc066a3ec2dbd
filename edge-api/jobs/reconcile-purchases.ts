import type { Context } from '../domain/context.ts'
import { alertOfSilence } from '../domain/purchase/alert-of-silence.ts'
import { auditPayments } from '../domain/purchase/audit-payments.ts'
import { payOwedRefunds } from '../domain/purchase/pay-owed-refunds.ts'
import { reconcilePurchases } from '../domain/purchase/reconcile.ts'
import { retryWebhooks } from '../domain/purchase/webhooks.ts'
import { days, hours } from '../domain/time.ts'

/** Two days, so that an audit that failed is made up for by the next. */
const AUDIT_SPAN_MS = hours(48)
/** Grants are compared again when they are so old. A day's run so asks for few lists, and misses none for longer than a month. */
const AUDIT_AGES_MS = [30, 60, 90, 120, 150, 180].map(days)

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
  const since = ctx.now - AUDIT_SPAN_MS
  const older = AUDIT_AGES_MS.map((age) => ({ from: since - age, to: ctx.now - age }))
  await auditPayments(ctx, { since, older })
}
