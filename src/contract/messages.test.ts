import { expect, test } from 'vitest'
import { CAREERS, FIELD, PURCHASE, TOAST, VERIFICATION } from './messages.ts'

/** Section 8 of the specification, typed here a second time on purpose. */
const FALLBACK_TOASTS = [
  'Login failed',
  'Registration failed',
  'Failed to send reset email',
  'Password reset failed',
  'Email verification failed',
  'Failed to create subscription',
  'Failed to create order',
  'Failed to create payment link',
  'Payment verification failed',
  'Failed to cancel subscription',
  'Failed to reactivate subscription',
  'Failed to load subscription plans',
  'Failed to submit support ticket',
]

const SUCCESS_TOASTS = [
  'Login successful!',
  'Registration successful! Please check your email to verify your account.',
  'Logged out successfully',
  'Password reset email sent!',
  'Password reset successful!',
  'Email verified successfully!',
  'Payment verified successfully!',
  'Subscription will be cancelled at the end of the billing period',
  'Subscription reactivated successfully',
  'Support ticket submitted successfully!',
]

test.each([...FALLBACK_TOASTS, ...SUCCESS_TOASTS])('spec 8, toast: "%s"', (sentence) => {
  expect(Object.values(TOAST)).toContain(sentence)
})

test('spec 8: there is no toast that the specification does not know', () => {
  expect(Object.values(TOAST).toSorted()).toEqual(
    [...FALLBACK_TOASTS, ...SUCCESS_TOASTS].toSorted(),
  )
})

test.each([
  ['Failed to create token purchase order', PURCHASE.tokenOrderFailed],
  ['Error creating payment: no money', PURCHASE.paymentError('no money')],
  ['Failed to create payment order', PURCHASE.paymentOrderFailed],
  [
    'Payment successful but token activation failed. Please contact support.',
    PURCHASE.tokenActivationFailed,
  ],
  [
    'Tokens purchased successfully! 1,000,000 tokens have been added to your account.',
    PURCHASE.tokensPurchased,
  ],
  ['Razorpay SDK not loaded. Please refresh the page and try again.', PURCHASE.sdkMissing],
  ['No subscription ID received from server', PURCHASE.noSubscriptionId],
  ['Error creating subscription: no money', PURCHASE.subscriptionError('no money')],
  ['No authentication token found for subscription activation', PURCHASE.noTokenForActivation],
  [
    'Payment completed! Your purchase is being processed and tokens will be added shortly.',
    PURCHASE.processing,
  ],
  ['One-time payment, no recurring charges', PURCHASE.oneTime],
])('spec 8, alert: "%s"', (sentence, ours) => {
  expect(ours).toBe(sentence)
})

test('spec 5, plan purchase: "Invalid plan type: gold", "Failed to fetch plan amounts"', () => {
  expect(PURCHASE.invalidPlanType('gold')).toBe('Invalid plan type: gold')
  expect(PURCHASE.planAmountsFailed).toBe('Failed to fetch plan amounts')
})

test('spec 8, email verification: the sentence of a failure and of an exception', () => {
  expect(VERIFICATION.failed).toBe('Email verification failed. Please try again.')
  expect(VERIFICATION.expired).toBe(
    'Email verification failed. The link may be expired or invalid.',
  )
})

test('spec 8, careers: all five sentences', () => {
  expect(CAREERS).toEqual({
    success: "Application submitted successfully! We'll be in touch soon.",
    fixFollowing: 'Please fix the following errors:',
    fixBelow: 'Please fix the errors below and try again.',
    failed: 'Failed to submit application. Please try again.',
    network: 'Network error. Please check your connection and try again.',
  })
})

test('spec 5, support: the toast of an empty form', () => {
  expect(FIELD.fillRequired).toBe('Please fill in all required fields')
})
