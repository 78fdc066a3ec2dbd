import type { Log } from '../../domain/ports/log.ts'
import type { PaymentGateway, PaymentMode } from '../../domain/ports/payments.ts'
import { type Pacing, portTo, type Wire } from './call.ts'
import { cancelLink, createLink, linkOfPayment, linkPayments } from './links.ts'
import { disputesSince, paymentsBetween, refundsBetween } from './lists.ts'
import { createOrder, fetchOrder, findOrder } from './orders.ts'
import {
  capture,
  fetchDispute,
  fetchPayment,
  fetchRefund,
  paymentsOfOrder,
  refund,
  refundsOfPayment,
} from './payments.ts'
import { readEvent } from './read-event.ts'
import {
  type RazorpayEnv,
  RazorpayNotConfigured,
  type RazorpaySettings,
  resolveRazorpay,
} from './resolve-razorpay.ts'
import { isCheckoutSignature, isLinkSignature, isWebhookSignature } from './signatures.ts'
import { openRazorpay } from './transport.ts'
import { unavailableGateway } from './unavailable-gateway.ts'

type PaymentEnv = RazorpayEnv

interface PaymentServices {
  payments: PaymentGateway
  paymentMode: PaymentMode
}

const pacing = {
  now: Date.now,
  sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  jitter: Math.random,
  timeoutMs: 8_000,
}

/**
 * The gateway and its payment mode. When payments are misconfigured, an alert names the variable and the gateway
 * refuses every call.
 */
export function paymentServices(env: PaymentEnv, log: Log): PaymentServices {
  try {
    const settings = resolveRazorpay(env)
    return { payments: razorpayGateway(settings, pacing, log), paymentMode: settings.mode }
  } catch (error) {
    if (!(error instanceof RazorpayNotConfigured)) throw error
    log.alert('payments are not configured', { reason: error.message })
    return { payments: unavailableGateway, paymentMode: modeWithout(env) }
  }
}

/** The mode whose balances are shown while nothing can be bought. */
function modeWithout({ ENVIRONMENT, RAZORPAY_KEY_ID = '' }: PaymentEnv): PaymentMode {
  if (ENVIRONMENT === 'staging') return 'test'
  if (!['development', 'test', 'local'].includes(ENVIRONMENT ?? '')) return 'live'
  return /^rzp_test_(?!EMU)/.test(RAZORPAY_KEY_ID) ? 'test' : 'emulator'
}

/** Razorpay behind the domain's port. */
export function razorpayGateway(
  settings: RazorpaySettings,
  pacing: Pacing,
  log: Pick<Log, 'alert'>,
): PaymentGateway {
  const { mode, keyId, keySecret, checkoutScript, webhookSecrets } = settings
  const wire: Wire = { razorpay: openRazorpay(settings, pacing), mode, pacing, log }
  /**
   * The SDK cannot send a header with a single call, so each key gets a client. Razorpay refuses a key that comes again
   * with another body, so the amount is part of it.
   */
  const clientFor = ({ key, amountMinor }: { key: string; amountMinor: number }) =>
    openRazorpay(settings, pacing, { 'X-Refund-Idempotency': `${key}-${amountMinor}` })
  const { asPort, lastAnswer } = portTo(wire)
  return {
    keyId,
    checkoutScript,
    lastAnswer,
    createOrder: (request) => asPort(() => createOrder(wire, request)),
    findOrder: (request) => asPort(() => findOrder(wire, request)),
    fetchOrder: (orderId) => asPort(() => fetchOrder(wire, orderId)),
    paymentsOfOrder: (orderId) => asPort(() => paymentsOfOrder(wire, orderId)),
    fetchPayment: (paymentId) => asPort(() => fetchPayment(wire, paymentId)),
    paymentsBetween: (from, to) => asPort(() => paymentsBetween({ wire, from, to })),
    capture: (payment) => asPort(() => capture(wire, payment)),
    refundsOfPayment: (paymentId) => asPort(() => refundsOfPayment(wire, paymentId)),
    refundsBetween: (from, to) => asPort(() => refundsBetween({ wire, from, to })),
    disputesSince: (from) => asPort(() => disputesSince(wire, from)),
    fetchRefund: (refundId) => asPort(() => fetchRefund(wire, refundId)),
    fetchDispute: (disputeId) => asPort(() => fetchDispute(wire, disputeId)),
    refund: (request) => asPort(() => refund(wire, clientFor(request), request)),
    createLink: (request) => asPort(() => createLink(wire, request)),
    linkOfPayment: (paymentId) => asPort(() => linkOfPayment(wire, paymentId)),
    linkPayments: (linkId) => asPort(() => linkPayments(wire, linkId)),
    cancelLink: (linkId) => asPort(() => cancelLink(wire, linkId)),
    isCheckoutSignature: (parts) => isCheckoutSignature(keySecret, parts),
    isLinkSignature: (parts) => isLinkSignature(keySecret, parts),
    isWebhookSignature: (body, signature) => isWebhookSignature(webhookSecrets, body, signature),
    readEvent: (body) => readEvent(body, mode),
  }
}
