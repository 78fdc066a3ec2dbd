const PURCHASE = 'edge-api/domain/purchase'

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
}
