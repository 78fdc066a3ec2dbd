import type { PaymentGateway } from '../../domain/ports/payments.ts'
import { asPort, type Pacing } from './call.ts'
import { cancelLink, createLink, linkPayments } from './links.ts'
import { createOrder, findOrder, type Wire } from './orders.ts'
import {
  capture,
  fetchPayment,
  paymentsBetween,
  paymentsOfOrder,
  refund,
  refundsOfPayment,
} from './payments.ts'
import { readEvent } from './read-event.ts'
import type { RazorpaySettings } from './resolve-razorpay.ts'
import { isCheckoutSignature, isLinkSignature, isWebhookSignature } from './signatures.ts'
import { openRazorpay } from './transport.ts'

/** Razorpay behind the domain's port. */
export function razorpayGateway(settings: RazorpaySettings, pacing: Pacing): PaymentGateway {
  const { mode, keyId, keySecret, checkoutScript, webhookSecrets } = settings
  const wire: Wire = { razorpay: openRazorpay(settings, pacing.timeoutMs), mode, pacing }
  /** The SDK cannot send a header with one call: a client of its own carries it. */
  const clientFor = (key: string) =>
    openRazorpay(settings, pacing.timeoutMs, { 'X-Refund-Idempotency': key })
  return {
    keyId,
    checkoutScript,
    createOrder: (request) => asPort(() => createOrder(wire, request)),
    findOrder: (request) => asPort(() => findOrder(wire, request)),
    paymentsOfOrder: (orderId) => asPort(() => paymentsOfOrder(wire, orderId)),
    fetchPayment: (paymentId) => asPort(() => fetchPayment(wire, paymentId)),
    paymentsBetween: (from, to) => asPort(() => paymentsBetween(wire, from, to)),
    capture: (payment) => asPort(() => capture(wire, payment)),
    refundsOfPayment: (paymentId) => asPort(() => refundsOfPayment(wire, paymentId)),
    refund: (request) => asPort(() => refund(wire, clientFor(request.key), request)),
    createLink: (request) => asPort(() => createLink(wire, request)),
    linkPayments: (linkId) => asPort(() => linkPayments(wire, linkId)),
    cancelLink: (linkId) => asPort(() => cancelLink(wire, linkId)),
    isCheckoutSignature: (parts) => isCheckoutSignature(keySecret, parts),
    isLinkSignature: (parts) => isLinkSignature(keySecret, parts),
    isWebhookSignature: (body, signature) => isWebhookSignature(webhookSecrets, body, signature),
    readEvent: (body) => readEvent(body, mode),
  }
}
