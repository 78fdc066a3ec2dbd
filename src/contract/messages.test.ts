import { expect, test } from 'vitest'
import { exampleOf } from '../../site/openapi/examples.ts'
import { updateProfileEndpoint } from './account.ts'
import { applyEndpoint } from './careers.ts'
import { forgotPasswordEndpoint, resetPasswordEndpoint } from './credential.ts'
import { CAREERS, PURCHASE, TOAST } from './messages.ts'
import { SESSION, VERIFICATION } from './session-messages.ts'
import { loginEndpoint, registerEndpoint } from './session.ts'
import { submitTicketEndpoint } from './support.ts'

// Every sentence that the specification fixes, word for word. Other tests import the sentences from ./messages.ts
// and check where the pages show them.

const COMPOSITION =
  'Password must contain at least one uppercase letter, one lowercase letter, and one number'
const REQUIRED = 'is required'
const CHOSEN = 'must be chosen from the list'

/** The message for each invalid value of each form. */
const FORMS = [
  {
    endpoint: loginEndpoint,
    refused: [
      ['email', undefined, 'Email is required'],
      ['email', '', 'Email is required'],
      ['email', 'ada@', 'Invalid email address'],
      ['password', undefined, 'Password is required'],
      ['password', '', 'Password is required'],
      ['password', '12345', 'Password must be at least 6 characters'],
    ],
  },
  {
    endpoint: registerEndpoint,
    refused: [
      ['username', undefined, 'Username is required'],
      ['username', '', 'Username is required'],
      ['username', 'ab', 'Username must be at least 3 characters'],
      ['username', 'a'.repeat(31), 'Username cannot exceed 30 characters'],
      ['username', 'ada lovelace', 'Username can only contain letters, numbers, and underscores'],
      ['username', 'adä_lovelace', 'Username can only contain letters, numbers, and underscores'],
      ['email', undefined, 'Please enter a valid email address'],
      ['email', '', 'Please enter a valid email address'],
      ['email', 'ada@example', 'Please enter a valid email address'],
      ['email', 'a b@example.com', 'Please enter a valid email address'],
      ['email', 'ada@example.com\r\nBcc: all@example.com', 'Please enter a valid email address'],
      ['password', undefined, 'Password is required'],
      ['password', '', 'Password is required'],
      ['password', 'Ab1cd', 'Password must be at least 6 characters'],
      ['password', 'quiet-otter-42', 'Password must contain at least one uppercase letter'],
      ['password', 'QUIET-OTTER-42', 'Password must contain at least one lowercase letter'],
      ['password', 'Quiet-Otter', 'Password must contain at least one number'],
      ['confirmPassword', undefined, 'Please confirm your password'],
      ['confirmPassword', '', 'Please confirm your password'],
      ['confirmPassword', 'Quiet-Otter-43', 'Passwords do not match'],
    ],
  },
  {
    endpoint: forgotPasswordEndpoint,
    refused: [
      ['email', undefined, 'Email is required'],
      ['email', '', 'Email is required'],
      ['email', 'ada@', 'Invalid email address'],
    ],
  },
  {
    endpoint: resetPasswordEndpoint,
    refused: [
      ['password', undefined, 'Password is required'],
      ['password', '', 'Password is required'],
      ['password', 'Ab1cd', 'Password must be at least 6 characters'],
      ['password', 'quiet-otter-42', COMPOSITION],
      ['password', 'QUIET-OTTER-42', COMPOSITION],
      ['password', 'Quiet-Otter', COMPOSITION],
    ],
  },
  {
    endpoint: updateProfileEndpoint,
    refused: [
      ['firstName', '', 'First name is required'],
      ['firstName', 'a'.repeat(51), 'First name cannot exceed 50 characters'],
      ['lastName', '', 'Last name is required'],
      ['lastName', 'a'.repeat(51), 'Last name cannot exceed 50 characters'],
      ['bio', 'a'.repeat(501), 'Bio cannot exceed 500 characters'],
    ],
  },
  {
    endpoint: submitTicketEndpoint,
    refused: [
      ['query', undefined, 'Please fill in all required fields'],
      ['query', ' ', 'Please fill in all required fields'],
      ['severity', 'urgent', 'Please send one of: low, medium, high'],
    ],
  },
  {
    // The form shows each message after the label of its field: "Full Name is required".
    endpoint: applyEndpoint,
    refused: [
      ['jobId', undefined, CHOSEN],
      ['fullName', undefined, REQUIRED],
      ['email', undefined, 'Email is required'],
      ['phone', undefined, REQUIRED],
      ['resumeUrl', undefined, 'must be a web address that starts with https:// or http://'],
      ['currentLocation', undefined, REQUIRED],
      ['workingCountry', undefined, CHOSEN],
      ['workAuthorization', undefined, CHOSEN],
      ['remotePreference', undefined, CHOSEN],
      ['experience', undefined, REQUIRED],
      ['whyJoin', undefined, REQUIRED],
    ],
  },
] as const

const REJECTED = FORMS.flatMap(({ endpoint, refused }) =>
  refused.map(([field, value, sentence]) => ({ endpoint, field, value, sentence })),
)

test.each(REJECTED)('$endpoint.id, $field $value: "$sentence"', (row) => {
  const { endpoint, field, value, sentence } = row
  const valid = Object(exampleOf(endpoint).body)
  expect(endpoint.body.safeParse(valid).success).toBe(true)
  const issues = endpoint.body.safeParse({ ...valid, [field]: value }).error?.issues ?? []
  const said = issues.filter(({ path }) => path[0] === field).map(({ message }) => message)
  expect(said).toEqual([sentence])
})

test('TOAST has exactly the sentences of the specification', () => {
  expect([...Object.values(TOAST), SESSION.loggedOut].toSorted()).toEqual(
    [
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
    ].toSorted(),
  )
})

test.each([
  [PURCHASE.invalidPlanType('gold'), 'Invalid plan type: gold'],
  [PURCHASE.planAmountsFailed, 'Failed to fetch plan amounts'],
  [PURCHASE.oneTime, 'One-time payment, no recurring charges'],
  [PURCHASE.tokenOrderFailed, 'Failed to create token purchase order'],
  [PURCHASE.paymentOrderFailed, 'Failed to create payment order'],
  [PURCHASE.paymentError('no money'), 'Error creating payment: no money'],
  [PURCHASE.subscriptionError('no money'), 'Error creating subscription: no money'],
  [PURCHASE.noSubscriptionId, 'No subscription ID received from server'],
  [PURCHASE.noTokenForActivation, 'No authentication token found for subscription activation'],
  [PURCHASE.sdkMissing, 'Razorpay SDK not loaded. Please refresh the page and try again.'],
  [
    PURCHASE.tokenActivationFailed,
    'Payment successful but token activation failed. Please contact support.',
  ],
  [
    PURCHASE.tokensPurchased,
    'Tokens purchased successfully! 1,000,000 tokens have been added to your account.',
  ],
  [
    PURCHASE.processing,
    'Payment completed! Your purchase is being processed and tokens will be added shortly.',
  ],
  [VERIFICATION.failed, 'Email verification failed. Please try again.'],
  [VERIFICATION.expired, 'Email verification failed. The link may be expired or invalid.'],
  [CAREERS.success, "Application submitted successfully! We'll be in touch soon."],
  [CAREERS.fixFollowing, 'Please fix the following errors:'],
  [CAREERS.fixBelow, 'Please fix the errors below and try again.'],
  [CAREERS.failed, 'Failed to submit application. Please try again.'],
  [CAREERS.network, 'Network error. Please check your connection and try again.'],
])('"%s"', (ours, specified) => {
  expect(ours).toBe(specified)
})
