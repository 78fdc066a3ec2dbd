import { REFUND_DAYS } from './limits.ts'

/** Every sentence that users read in more than one place. messages.test.ts pins those that the specification fixes. */

/** What others see on each system: said wherever we say that only you see the answer. */
export const SEEN_BY_OTHERS =
  'Others usually do not see the answer on Windows 11, Windows 10 (version 2004 or later) and macOS up to 14. On macOS 15 and later, expect that others see it.'

/** The time for a refund, wherever we name it. */
export const REFUND_TERMS = `You can get a refund for the tokens that you have not used until ${REFUND_DAYS} days after the day you pay.`

export const TOAST = {
  loginFailed: 'Login failed',
  registrationFailed: 'Registration failed',
  resetMailFailed: 'Failed to send reset email',
  resetFailed: 'Password reset failed',
  verificationFailed: 'Email verification failed',
  subscriptionFailed: 'Failed to create subscription',
  orderFailed: 'Failed to create order',
  linkFailed: 'Failed to create payment link',
  paymentVerificationFailed: 'Payment verification failed',
  cancelFailed: 'Failed to cancel subscription',
  reactivateFailed: 'Failed to reactivate subscription',
  plansFailed: 'Failed to load subscription plans',
  ticketFailed: 'Failed to submit support ticket',
  loggedIn: 'Login successful!',
  registered: 'Registration successful! Please check your email to verify your account.',
  resetMailSent: 'Password reset email sent!',
  passwordReset: 'Password reset successful!',
  emailVerified: 'Email verified successfully!',
  paymentVerified: 'Payment verified successfully!',
  cancelled: 'Subscription will be cancelled at the end of the billing period',
  reactivated: 'Subscription reactivated successfully',
  ticketSent: 'Support ticket submitted successfully!',
} as const

export const PAGE = {
  /** One of our own scripts; `PURCHASE.sdkMissing` is about Razorpay's. */
  partMissing: 'Part of this page did not load. Reload the page and try again.',
} as const

export const PURCHASE = {
  tokenOrderFailed: 'Failed to create token purchase order',
  paymentError: (message: string) => `Error creating payment: ${message}`,
  paymentOrderFailed: 'Failed to create payment order',
  tokenActivationFailed: 'Payment successful but token activation failed. Please contact support.',
  tokensPurchased:
    'Tokens purchased successfully! 1,000,000 tokens have been added to your account.',
  sdkMissing: 'Razorpay SDK not loaded. Please refresh the page and try again.',
  noSubscriptionId: 'No subscription ID received from server',
  subscriptionError: (message: string) => `Error creating subscription: ${message}`,
  noTokenForActivation: 'No authentication token found for subscription activation',
  invalidPlanType: (planType: string) => `Invalid plan type: ${planType}`,
  planAmountsFailed: 'Failed to fetch plan amounts',
  processing:
    'Payment completed! Your purchase is being processed and tokens will be added shortly.',
  oneTime: 'One-time payment, no recurring charges',
  planActive: 'You already have an active plan. You can buy a token pack instead.',
  billingRequired:
    'First, tell us where you are in your account settings under Subscription: the tax on your receipt depends on it.',
  planRequired: 'You need an active plan to buy token packs.',
  amountDiffers:
    'The price has changed since this page was loaded. Please reload it and try again.',
  confirming:
    'Your payment is being confirmed. Your tokens will be added automatically, usually within a minute.',
  doNotPayAgain: 'There is no need to pay again: your tokens will be added automatically.',
  receivedSignedOut: 'We received your payment. Sign in to see it.',
  signInToSee: 'Sign in to see your purchase. Any payment you made is saved with your account.',
  signInToWithdraw:
    'Sign in to see your purchases. There you can get a refund or withdraw from the contract.',
  arrived: 'We received this payment, and its tokens are in your account.',
  needsReview:
    'We received your payment, but it does not match an open order. We are looking into it and will write to you.',
  notPaid: 'No payment has arrived for this order. If you did pay, it will appear here shortly.',
  windowClosed: 'The payment window was closed. If you did pay, it will appear here shortly.',
  providerUnavailable:
    'The payment service cannot be reached right now. Nothing was charged. Please try again in a minute.',
  refunded: 'This payment was refunded.',
  notFound: 'We could not find that purchase.',
  nothingToCancel: 'There is no active plan to cancel.',
  nothingToReactivate: 'There is no cancelled plan to reactivate.',
} as const

/** Only the Worker sends these; browsers show its answers and do not load this list. */
export const PURCHASE_REFUSED = {
  keyOver:
    'This Idempotency-Key belongs to a purchase that has already been paid. Use a new key to buy again.',
  keyOld:
    'This order is older than 7 days, or its link has ended, so it can no longer be paid. Use a new key to order again.',
  inrOutsideIndia:
    'Prices in INR are for buyers in India. Choose USD, or correct where you are in your account settings under Subscription.',
  salesPaused:
    'Purchases are paused right now, and nothing was charged. Please try again in an hour.',
} as const

/** The mail with the link to the downloads. */
export const DOWNLOAD = {
  mailed: 'We emailed you the link. Open it on your computer.',
  unverified: 'Verify your email address first: we mail this link to verified addresses alone.',
} as const

export const CAREERS = {
  success: "Application submitted successfully! We'll be in touch soon.",
  fixFollowing: 'Please fix the following errors:',
  fixBelow: 'Please fix the errors below and try again.',
  failed: 'Failed to submit application. Please try again.',
  network: 'Network error. Please check your connection and try again.',
} as const

export const AUTH = {
  invalidCredentials: 'Invalid email or password',
  unauthenticated: 'Please sign in to continue.',
  emailTaken: 'An account with this email already exists. Sign in, or reset your password.',
  usernameTaken: 'This username is taken. Please choose another one.',
  resetAccepted: 'If an account has this address, a reset link is on its way.',
  linkInvalid: 'This link is invalid or has expired. Please request a new one.',
  suspended:
    'This account is suspended. We emailed you about it; if you think this is a mistake, please write to support.',
  locked:
    'This account is locked. To unlock it, set a new password with the link we emailed; “Forgot your password?” sends another.',
  resetFromSettings: 'We emailed you a link. Sign out before you open it.',
  wrongPassword: 'Your current password is incorrect.',
  passwordChanged: 'Password changed. Your other devices were signed out.',
  profileSaved: 'Profile saved',
  preferencesSaved: 'Preferences saved',
  sessionEnded: 'Session ended',
  otherSessionsEnded: 'All other sessions were ended',
  accountDeleted: 'Your account was deleted',
} as const

/** Sentences of the page that the link of a security mail opens. */
export const NOT_ME = {
  done: 'All devices were signed out, any Google account was disconnected, and nobody can sign in until you set a new password with the link we emailed you.',
  incomplete:
    'Nothing was locked: the address of this page is incomplete. Open the link in the email again, or copy all of it. To be safe, reset your password.',
  invalid: 'This link is invalid, has been used or has expired. To be safe, reset your password.',
} as const

export const SERVER = {
  notForApps: 'An app cannot do this. Please do it on the website.',
  validation: 'Please check the highlighted fields.',
  malformedJson: 'The request body is not valid JSON.',
  notUtf8: 'The request body is not valid UTF-8.',
  mediaType: 'Send the request body as application/json in UTF-8, not compressed.',
  tooLarge: 'The request body is too large.',
  notFound: 'There is nothing at this address.',
  method: 'This address does not support that method.',
  rateLimited: 'Too many attempts. Please wait a minute and try again.',
  dailyLimit: 'Too many attempts today. Please try again tomorrow.',
  internal:
    'Something went wrong on our side. Please try again; if it keeps happening, contact support with the request ID.',
  database: 'We cannot reach our database right now. Please try again in a minute.',
  notConfigured: 'This part of the service is not available right now.',
  overloaded: 'We are very busy right now. Please try again in a few seconds.',
  insufficientTokens: 'Not enough tokens left. You can get more on the plans page.',
  keyReused: 'This Idempotency-Key was used before with another request.',
  signature: 'The signature does not match.',
} as const
