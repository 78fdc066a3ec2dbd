import { PURCHASE } from '../../../src/contract/messages.ts'
import type { Log } from '../../domain/ports/log.ts'
import type { PaymentGateway, PaymentMode } from '../../domain/ports/payments.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type Pacing, portTo } from './call.ts'
import type { RazorpayCalls } from './razorpay-calls.ts'
import { readEvent } from './read-event.ts'
import {
  type RazorpayEnv,
  RazorpayNotConfigured,
  type RazorpaySettings,
  resolveRazorpay,
} from './resolve-razorpay.ts'
import { isCheckoutSignature, isLinkSignature, isWebhookSignature } from './signatures.ts'

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
export function paymentServices(env: RazorpayEnv, log: Log): PaymentServices {
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
function modeWithout({ ENVIRONMENT, RAZORPAY_KEY_ID = '' }: RazorpayEnv): PaymentMode {
  if (ENVIRONMENT === 'staging') return 'test'
  if (!['development', 'test', 'local'].includes(ENVIRONMENT ?? '')) return 'live'
  return /^rzp_test_(?!EMU)/.test(RAZORPAY_KEY_ID) ? 'test' : 'emulator'
}

/**
 * Razorpay behind the domain's port. The calls and the SDK (40 KB compressed) are loaded by the first call, because
 * most isolates make none.
 */
export function razorpayGateway(
  settings: RazorpaySettings,
  pacing: Pacing,
  log: Pick<Log, 'alert'>,
): PaymentGateway {
  const { mode, keyId, keySecret, checkoutScript, webhookSecrets } = settings
  const { asPort, lastAnswer } = portTo({ mode, pacing, log })
  let calls: RazorpayCalls | null = null
  return {
    keyId,
    checkoutScript,
    lastAnswer,
    ...callsBy((call) =>
      asPort(async () => {
        // Does not keep the promise: workerd lets no request wait for work that another began.
        calls ??= (await import('./razorpay-calls.ts')).openCalls(settings, pacing, log)
        return call(calls)
      }),
    ),
    isCheckoutSignature: (parts) => isCheckoutSignature(keySecret, parts),
    isLinkSignature: (parts) => isLinkSignature(keySecret, parts),
    isWebhookSignature: (body, signature) => isWebhookSignature(webhookSecrets, body, signature),
    readEvent: (body) => readEvent(body, mode),
  }
}

/** The calls that talk to Razorpay, each made by `ask`. */
function callsBy(
  ask: <Result>(call: (razorpay: RazorpayCalls) => Promise<Result>) => Promise<Result>,
): RazorpayCalls {
  return {
    createOrder: (request) => ask((razorpay) => razorpay.createOrder(request)),
    findOrder: (request) => ask((razorpay) => razorpay.findOrder(request)),
    fetchOrder: (orderId) => ask((razorpay) => razorpay.fetchOrder(orderId)),
    paymentsOfOrder: (orderId) => ask((razorpay) => razorpay.paymentsOfOrder(orderId)),
    fetchPayment: (paymentId) => ask((razorpay) => razorpay.fetchPayment(paymentId)),
    paymentsBetween: (from, to) => ask((razorpay) => razorpay.paymentsBetween(from, to)),
    capture: (payment) => ask((razorpay) => razorpay.capture(payment)),
    refundsOfPayment: (paymentId) => ask((razorpay) => razorpay.refundsOfPayment(paymentId)),
    refundsBetween: (from, to) => ask((razorpay) => razorpay.refundsBetween(from, to)),
    disputesSince: (from) => ask((razorpay) => razorpay.disputesSince(from)),
    fetchRefund: (refundId) => ask((razorpay) => razorpay.fetchRefund(refundId)),
    fetchDispute: (disputeId) => ask((razorpay) => razorpay.fetchDispute(disputeId)),
    refund: (request) => ask((razorpay) => razorpay.refund(request)),
    createLink: (request) => ask((razorpay) => razorpay.createLink(request)),
    linkOfPayment: (paymentId) => ask((razorpay) => razorpay.linkOfPayment(paymentId)),
    linkPayments: (linkId) => ask((razorpay) => razorpay.linkPayments(linkId)),
    cancelLink: (linkId) => ask((razorpay) => razorpay.cancelLink(linkId)),
  }
}

const refusal = () =>
  new Refusal('NOT_CONFIGURED', PURCHASE.providerUnavailable, { retryAfterSeconds: 60 })

const refuse = () => Promise.reject(refusal())

/** Used while payments are misconfigured: nothing can be bought, everything else works. */
export const unavailableGateway: PaymentGateway = {
  ...callsBy(refuse),
  keyId: '',
  checkoutScript: '',
  lastAnswer: () => null,
  isCheckoutSignature: refuse,
  isLinkSignature: refuse,
  isWebhookSignature: refuse,
  readEvent: () => {
    throw refusal()
  },
}
