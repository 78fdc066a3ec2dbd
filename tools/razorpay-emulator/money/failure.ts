import { badRequest } from '../core/errors.ts'
import type { ApiError } from '../core/errors.ts'

const bad = 'BAD_REQUEST_ERROR'
const bank = { code: bad, source: 'issuer_bank', step: 'payment_authorization' }
const customer = { code: bad, source: 'customer', step: 'payment_authentication' }
const business = { code: bad, source: 'business', step: 'payment_initiation' }

/** Razorpay's reasons of failure. The descriptions are ours where Razorpay publishes none. */
const failures = {
  card_declined: { ...bank, description: 'Your card was declined by its bank. Try another one.' },
  insufficient_fund: { ...bank, description: 'The account does not hold enough money.' },
  card_disabled_for_online_payments: {
    ...bank,
    description: 'This card is switched off for online payments.',
  },
  card_number_invalid: { ...customer, description: 'The card number is not valid.' },
  card_expired: { ...customer, description: 'This card has expired.' },
  authentication_failed: { ...customer, description: 'The one-time password was not accepted.' },
  payment_cancelled: { ...customer, description: 'The payment was cancelled.' },
  payment_timed_out: { ...customer, description: 'The payment was not completed in time.' },
  payment_failed: { ...bank, description: 'The payment failed at the bank.' },
  gateway_technical_error: {
    code: 'GATEWAY_ERROR',
    source: 'gateway',
    step: 'payment_authorization',
    description: 'The bank could not be reached.',
  },
  order_amount_mismatch: {
    ...business,
    description: 'Your payment amount is different from your order amount.',
  },
  order_already_paid: {
    ...business,
    description: 'Your payment has been declined as the order is already paid.',
  },
  payment_in_progress: {
    ...business,
    description: 'Another payment on this order is in progress.',
  },
  method_not_enabled: {
    ...business,
    description: 'This payment method is not enabled for this order.',
  },
} as const

export type FailureReason = keyof typeof failures

function isFailureReason(reason: string): reason is FailureReason {
  return Object.hasOwn(failures, reason)
}

/** The failure of a reason. An unknown reason is a failure at the bank. */
export function failureOf(reason: string) {
  const known = isFailureReason(reason) ? reason : 'payment_failed'
  return { ...failures[known], reason: known }
}

/** The same failure as an answer of the API. */
export function failureError(reason: FailureReason): ApiError {
  const { description, source, step } = failureOf(reason)
  return badRequest(description, { source, step, reason })
}
