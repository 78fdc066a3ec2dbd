const PURCHASE = 'edge-api/domain/purchase'
const TOKENS = 'edge-api/domain/tokens'
const RAZORPAY = 'edge-api/gateways/razorpay'
/** The triggers. */
export const GUARDS = 'edge-api/db/migrations/0001_guards.sql'

/**
 * Files of which every mutant is noticed by these tests or listed as equivalent, and stays so. Tests about a file's own
 * rules notice its mutants soonest. The list grows.
 */
export const HELD: Readonly<Record<string, readonly string[]>> = {
  [`${PURCHASE}/ask-refund.ts`]: [
    `${PURCHASE}/ask-refund.test.ts`,
    `${PURCHASE}/needs-session.test.ts`,
  ],
  [`${PURCHASE}/audit-payments.ts`]: [
    `${PURCHASE}/audit-lists.test.ts`,
    `${PURCHASE}/audit.test.ts`,
    `${PURCHASE}/reconcile.test.ts`,
  ],
  [`${PURCHASE}/cancel-links.ts`]: [
    `${PURCHASE}/cancel-links.test.ts`,
    `${PURCHASE}/late-money.test.ts`,
  ],
  [`${PURCHASE}/check-schedule.ts`]: [
    `${PURCHASE}/check-schedule.test.ts`,
    `${PURCHASE}/settle.test.ts`,
  ],
  [`${PURCHASE}/list-receipts.ts`]: [
    `${PURCHASE}/purchase-lists.test.ts`,
    `${PURCHASE}/tax.test.ts`,
    `${PURCHASE}/needs-session.test.ts`,
  ],
  [`${PURCHASE}/open-purchase.ts`]: [
    `${PURCHASE}/open-purchase.test.ts`,
    `${PURCHASE}/second-plan.test.ts`,
  ],
  [`${PURCHASE}/payment-status.ts`]: [
    `${PURCHASE}/needs-session.test.ts`,
    `${PURCHASE}/purchase-lists.test.ts`,
    `${PURCHASE}/proof-of-payment.test.ts`,
    `${PURCHASE}/proven-payment.test.ts`,
  ],
  [`${PURCHASE}/return-from-payment.ts`]: [
    `${PURCHASE}/proof-of-payment.test.ts`,
    `${PURCHASE}/proven-payment.test.ts`,
  ],
  [`${PURCHASE}/activate-order-public.ts`]: [
    `${PURCHASE}/proof-of-payment.test.ts`,
    `${PURCHASE}/proven-payment.test.ts`,
  ],
  [`${PURCHASE}/verify-payment.ts`]: [
    `${PURCHASE}/proof-of-payment.test.ts`,
    `${PURCHASE}/proven-payment.test.ts`,
    `${PURCHASE}/needs-session.test.ts`,
  ],
  [`${PURCHASE}/confirm-payment.ts`]: [
    `${PURCHASE}/proof-of-payment.test.ts`,
    `${PURCHASE}/proven-payment.test.ts`,
    `${PURCHASE}/late-money.test.ts`,
  ],
  [`${PURCHASE}/owe-refund.ts`]: [
    `${PURCHASE}/owe-refund.test.ts`,
    `${PURCHASE}/ask-refund.test.ts`,
  ],
  [`${PURCHASE}/pay-owed-refunds.ts`]: [
    `${PURCHASE}/pay-owed-refunds.test.ts`,
    `${PURCHASE}/separate-modes.test.ts`,
    `${PURCHASE}/ask-refund.test.ts`,
  ],
  [`${PURCHASE}/refund-quote.ts`]: [
    `${PURCHASE}/refund-quote.test.ts`,
    `${PURCHASE}/owe-refund.test.ts`,
    `${PURCHASE}/ask-refund.test.ts`,
  ],
  [`${PURCHASE}/webhooks.ts`]: [`${PURCHASE}/receive-webhook.test.ts`],
  [`${PURCHASE}/reconcile.ts`]: [
    `${PURCHASE}/reconcile-run.test.ts`,
    `${PURCHASE}/reconcile.test.ts`,
    `${PURCHASE}/separate-modes.test.ts`,
  ],
  [`${PURCHASE}/find-purchase.ts`]: [
    `${PURCHASE}/find-purchase.test.ts`,
    `${PURCHASE}/separate-modes.test.ts`,
  ],
  [`${PURCHASE}/purchase-history.ts`]: [
    `${PURCHASE}/purchase-lists.test.ts`,
    `${PURCHASE}/tax.test.ts`,
    `${PURCHASE}/needs-session.test.ts`,
  ],
  [`${PURCHASE}/fetch-facts.ts`]: [`${PURCHASE}/fetch-facts.test.ts`],
  [`${PURCHASE}/find-by-receipt.ts`]: [`${PURCHASE}/find-by-receipt.test.ts`],
  [`${PURCHASE}/recover-purchases.ts`]: [`${PURCHASE}/find-by-receipt.test.ts`],
  [`${PURCHASE}/create-order.ts`]: [`${PURCHASE}/place-order.test.ts`],
  [`${PURCHASE}/create-payment-link.ts`]: [`${PURCHASE}/place-order.test.ts`],
  [`${PURCHASE}/item.ts`]: [`${PURCHASE}/place-order.test.ts`],
  [`${PURCHASE}/tax.ts`]: [`${PURCHASE}/tax.test.ts`],
  [`${PURCHASE}/invoice.ts`]: [`${PURCHASE}/tax.test.ts`],
  [`${PURCHASE}/sale-notes.ts`]: [`${PURCHASE}/find-by-receipt.test.ts`],
  [`${PURCHASE}/record-cause.ts`]: [`${PURCHASE}/heard-of.test.ts`],
  [`${PURCHASE}/alert-of-silence.ts`]: [`${PURCHASE}/heard-of.test.ts`],
  [`${PURCHASE}/with-provider.ts`]: [`${PURCHASE}/place-order.test.ts`],
  [`${RAZORPAY}/call.ts`]: [`${RAZORPAY}/call.test.ts`],
  [`${RAZORPAY}/entities.ts`]: [
    `${RAZORPAY}/read-event.test.ts`,
    `${RAZORPAY}/lists.test.ts`,
    `${RAZORPAY}/links.test.ts`,
    `${RAZORPAY}/orders.test.ts`,
  ],
  [`${RAZORPAY}/links.ts`]: [`${RAZORPAY}/links.test.ts`],
  [`${RAZORPAY}/lists.ts`]: [`${RAZORPAY}/lists.test.ts`],
  [`${RAZORPAY}/orders.ts`]: [`${RAZORPAY}/orders.test.ts`],
  [`${RAZORPAY}/payments.ts`]: [`${RAZORPAY}/payments.test.ts`, `${RAZORPAY}/lists.test.ts`],
  [`${RAZORPAY}/provider-id.ts`]: [`${RAZORPAY}/read-event.test.ts`],
  [`${RAZORPAY}/razorpay-gateway.ts`]: [`${RAZORPAY}/payment-services.test.ts`],
  [`${RAZORPAY}/read-event.ts`]: [`${RAZORPAY}/read-event.test.ts`],
  [`${RAZORPAY}/resolve-razorpay.ts`]: [`${RAZORPAY}/resolve-razorpay.test.ts`],
  [`${RAZORPAY}/signatures.ts`]: [`${RAZORPAY}/signatures.test.ts`],
  [`${RAZORPAY}/transport.ts`]: [`${RAZORPAY}/call.test.ts`, `${RAZORPAY}/payments.test.ts`],
  [`${RAZORPAY}/unavailable-gateway.ts`]: [`${RAZORPAY}/payment-services.test.ts`],
  [`${TOKENS}/list-ledger.ts`]: [
    `${TOKENS}/list-ledger.test.ts`,
    `${PURCHASE}/needs-session.test.ts`,
  ],
  [`${TOKENS}/record-usage-session.ts`]: [
    `${TOKENS}/record-usage-session.test.ts`,
    'edge-api/domain/account/touch-session.test.ts',
  ],
  [`${TOKENS}/show-usage.ts`]: [
    `${TOKENS}/show-usage.test.ts`,
    `${TOKENS}/trial.test.ts`,
    `${PURCHASE}/needs-session.test.ts`,
  ],
  [`${TOKENS}/trial.ts`]: [`${TOKENS}/trial.test.ts`, 'edge-api/domain/desk/acts/switch.test.ts'],
  [`${TOKENS}/unused-tokens.ts`]: [
    `${TOKENS}/unused-tokens.test.ts`,
    `${PURCHASE}/ask-refund.test.ts`,
  ],
  [`${TOKENS}/use-tokens.ts`]: [
    `${TOKENS}/who-may-use.test.ts`,
    `${TOKENS}/use-tokens-batch.test.ts`,
  ],
  [`${PURCHASE}/settle.ts`]: [
    `${PURCHASE}/settle-rules.test.ts`,
    `${PURCHASE}/disputes.test.ts`,
    `${PURCHASE}/settle.test.ts`,
    `${PURCHASE}/late-money.test.ts`,
  ],
  [`${PURCHASE}/settling/issue-receipts.ts`]: [`${PURCHASE}/tax.test.ts`],
  [`${PURCHASE}/settling/notify.ts`]: [
    `${PURCHASE}/notify.test.ts`,
    `${PURCHASE}/notify-owed.test.ts`,
  ],
  [`${PURCHASE}/settling/move-tokens.ts`]: [
    `${PURCHASE}/settle-rules.test.ts`,
    `${PURCHASE}/settle-among-others.test.ts`,
    `${PURCHASE}/reversal.test.ts`,
    `${PURCHASE}/disputes.test.ts`,
    `${PURCHASE}/sent-before.test.ts`,
    `${PURCHASE}/settle.test.ts`,
    `${PURCHASE}/second-plan.test.ts`,
    `${PURCHASE}/owed-refunds.test.ts`,
    `${PURCHASE}/tax.test.ts`,
    `${PURCHASE}/ask-refund.test.ts`,
  ],
  [`${PURCHASE}/settling/store-facts.ts`]: [
    `${PURCHASE}/store-facts.test.ts`,
    `${PURCHASE}/settle-rules.test.ts`,
    `${PURCHASE}/settle.test.ts`,
    `${PURCHASE}/settle-among-others.test.ts`,
    `${PURCHASE}/late-money.test.ts`,
    `${PURCHASE}/audit.test.ts`,
  ],
  [`${PURCHASE}/settling/follow-money.ts`]: [
    `${PURCHASE}/settle-rules.test.ts`,
    `${PURCHASE}/settle.test.ts`,
    `${PURCHASE}/settle-among-others.test.ts`,
    `${PURCHASE}/owed-refunds.test.ts`,
    `${PURCHASE}/late-money.test.ts`,
    `${PURCHASE}/ask-refund.test.ts`,
    `${PURCHASE}/reconcile-run.test.ts`,
    `${PURCHASE}/reconcile.test.ts`,
    `${PURCHASE}/second-plan.test.ts`,
    `${PURCHASE}/pay-asked-refunds.test.ts`,
  ],
  [`${PURCHASE}/settling/expressions.ts`]: [
    `${PURCHASE}/settle-rules.test.ts`,
    `${PURCHASE}/disputes.test.ts`,
    `${PURCHASE}/settle.test.ts`,
    `${PURCHASE}/settle-among-others.test.ts`,
    `${PURCHASE}/sent-before.test.ts`,
    `${PURCHASE}/owed-refunds.test.ts`,
    `${PURCHASE}/refund-quote.test.ts`,
    `${PURCHASE}/ask-refund.test.ts`,
    `${PURCHASE}/late-money.test.ts`,
  ],
  [GUARDS]: [
    `${PURCHASE}/guards.test.ts`,
    `${PURCHASE}/every-column.test.ts`,
    'edge-api/domain/tokens/guards.test.ts',
    'edge-api/domain/desk/kept-records.test.ts',
    `${PURCHASE}/tampering.test.ts`,
    `${PURCHASE}/tampering-status.test.ts`,
    'edge-api/domain/tokens/tampering.test.ts',
  ],
  [`${TOKENS}/take-tokens.ts`]: [
    `${TOKENS}/take-tokens.test.ts`,
    `${TOKENS}/who-may-use.test.ts`,
    `${TOKENS}/use-tokens-batch.test.ts`,
    `${TOKENS}/low-tokens.test.ts`,
    'edge-api/domain/account/touch-session.test.ts',
  ],
  [`${TOKENS}/notify-low-tokens.ts`]: [`${TOKENS}/notify-low-tokens.test.ts`],
}
