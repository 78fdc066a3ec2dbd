import type { Log } from '../../domain/ports/log.ts'
import type { PaymentGateway } from '../../domain/ports/payments.ts'
import type { Pacing, Wire } from './call.ts'
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
import type { RazorpaySettings } from './resolve-razorpay.ts'
import { openRazorpay } from './transport.ts'

/** The part of the gateway that talks to Razorpay. Its calls throw RazorpayFault. */
export type RazorpayCalls = Omit<
  PaymentGateway,
  | 'keyId'
  | 'checkoutScript'
  | 'lastAnswer'
  | 'isCheckoutSignature'
  | 'isLinkSignature'
  | 'isWebhookSignature'
  | 'readEvent'
>

/** Opens a client of Razorpay's, which every call of an isolate uses. */
export function openCalls(
  settings: RazorpaySettings,
  pacing: Pacing,
  log: Pick<Log, 'alert'>,
): RazorpayCalls {
  const { mode } = settings
  const wire: Wire = { razorpay: openRazorpay(settings, pacing), mode, pacing, log }
  /**
   * The SDK cannot send a header with a single call, so each key gets a client. Razorpay refuses a key that comes again
   * with another body, so the amount is part of it.
   */
  const clientFor = ({ key, amountMinor }: { key: string; amountMinor: number }) =>
    openRazorpay(settings, pacing, { 'X-Refund-Idempotency': `${key}-${amountMinor}` })
  return {
    createOrder: (request) => createOrder(wire, request),
    findOrder: (request) => findOrder(wire, request),
    fetchOrder: (orderId) => fetchOrder(wire, orderId),
    paymentsOfOrder: (orderId) => paymentsOfOrder(wire, orderId),
    fetchPayment: (paymentId) => fetchPayment(wire, paymentId),
    paymentsBetween: (from, to) => paymentsBetween({ wire, from, to }),
    capture: (payment) => capture(wire, payment),
    refundsOfPayment: (paymentId) => refundsOfPayment(wire, paymentId),
    refundsBetween: (from, to) => refundsBetween({ wire, from, to }),
    disputesSince: (from) => disputesSince(wire, from),
    fetchRefund: (refundId) => fetchRefund(wire, refundId),
    fetchDispute: (disputeId) => fetchDispute(wire, disputeId),
    refund: (request) => refund(wire, clientFor(request), request),
    createLink: (request) => createLink(wire, request),
    linkOfPayment: (paymentId) => linkOfPayment(wire, paymentId),
    linkPayments: (linkId) => linkPayments(wire, linkId),
    cancelLink: (linkId) => cancelLink(wire, linkId),
  }
}
