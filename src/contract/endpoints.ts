/** Every call of the API. The Worker's routes and /api/openapi.json are checked against this list. */
import { meEndpoint, updatePreferencesEndpoint, updateProfileEndpoint } from './account.ts'
import { applyEndpoint } from './careers.ts'
import { planAmountsEndpoint, plansEndpoint, plansWithPricingEndpoint } from './catalogue.ts'
import {
  changePasswordEndpoint,
  checkResetLinkEndpoint,
  deleteAccountEndpoint,
  forgotPasswordEndpoint,
  resendVerificationEndpoint,
  resetPasswordEndpoint,
  verifyEmailEndpoint,
} from './credential.ts'
import {
  authorizeDeviceEndpoint,
  confirmDeviceEndpoint,
  deviceRequestEndpoint,
  deviceTokenEndpoint,
} from './device.ts'
import type { Endpoint } from './endpoint.ts'
import {
  googleCallbackEndpoint,
  googleFinishEndpoint,
  googleStartEndpoint,
  providersEndpoint,
} from './google.ts'
import { healthEndpoint, liveEndpoint } from './health.ts'
import {
  exportDataEndpoint,
  noticesEndpoint,
  readNoticesEndpoint,
  signInHistoryEndpoint,
} from './notice.ts'
import {
  activateOrderPublicEndpoint,
  activateSubscriptionEndpoint,
  activateTokenPurchaseEndpoint,
  createOrderEndpoint,
  createPaymentLinkEndpoint,
  createSubscriptionEndpoint,
  createTokenOrderEndpoint,
  paymentStatusEndpoint,
  verifyPaymentEndpoint,
} from './purchase.ts'
import { purchasesEndpoint, receiptEndpoint } from './receipt.ts'
import {
  endOtherSessionsEndpoint,
  endSessionEndpoint,
  loginEndpoint,
  logoutEndpoint,
  registerEndpoint,
  sessionsEndpoint,
} from './session.ts'
import {
  cancelSubscriptionEndpoint,
  currentSubscriptionEndpoint,
  reactivateSubscriptionEndpoint,
} from './subscription.ts'
import { submitTicketEndpoint } from './support.ts'
import {
  ledgerEndpoint,
  recordUsageSessionEndpoint,
  usageEndpoint,
  useTokensEndpoint,
} from './usage.ts'
import {
  checkoutCallbackEndpoint,
  paymentLinkCallbackEndpoint,
  razorpayWebhookEndpoint,
} from './webhook.ts'

export const ENDPOINTS: readonly Endpoint[] = [
  registerEndpoint,
  loginEndpoint,
  logoutEndpoint,
  providersEndpoint,
  googleStartEndpoint,
  googleCallbackEndpoint,
  googleFinishEndpoint,
  meEndpoint,
  updateProfileEndpoint,
  updatePreferencesEndpoint,
  forgotPasswordEndpoint,
  checkResetLinkEndpoint,
  resetPasswordEndpoint,
  verifyEmailEndpoint,
  resendVerificationEndpoint,
  changePasswordEndpoint,
  deleteAccountEndpoint,
  sessionsEndpoint,
  endSessionEndpoint,
  endOtherSessionsEndpoint,
  noticesEndpoint,
  readNoticesEndpoint,
  signInHistoryEndpoint,
  exportDataEndpoint,
  authorizeDeviceEndpoint,
  deviceTokenEndpoint,
  deviceRequestEndpoint,
  confirmDeviceEndpoint,
  planAmountsEndpoint,
  plansEndpoint,
  plansWithPricingEndpoint,
  currentSubscriptionEndpoint,
  cancelSubscriptionEndpoint,
  reactivateSubscriptionEndpoint,
  useTokensEndpoint,
  recordUsageSessionEndpoint,
  usageEndpoint,
  ledgerEndpoint,
  createOrderEndpoint,
  createSubscriptionEndpoint,
  createTokenOrderEndpoint,
  createPaymentLinkEndpoint,
  verifyPaymentEndpoint,
  activateTokenPurchaseEndpoint,
  activateOrderPublicEndpoint,
  activateSubscriptionEndpoint,
  paymentStatusEndpoint,
  paymentLinkCallbackEndpoint,
  checkoutCallbackEndpoint,
  purchasesEndpoint,
  receiptEndpoint,
  razorpayWebhookEndpoint,
  submitTicketEndpoint,
  applyEndpoint,
  liveEndpoint,
  healthEndpoint,
]
