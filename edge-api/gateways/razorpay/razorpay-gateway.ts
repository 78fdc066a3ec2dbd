import { PURCHASE } from '../../../src/contract/messages.ts'
import type { Log } from '../../domain/ports/log.ts'
import type { PaymentGateway, PaymentMode } from '../../domain/ports/payments.ts'
import { ApiError } from '../../domain/api-error.ts'
import { type Pacing, portTo, type Wire } from './call.ts'
import { readEvent } from './read-event.ts'
import {
  type RazorpayEnv,
  RazorpayNotConfigured,
  type RazorpaySettings,
  resolveRazorpay,
} from './resolve-razorpay.ts'
import { isCheckoutSignature, isLinkSignature, isWebhookSignature } from './signatures.ts'

const pacing = {
  now: Date.now,
  sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  jitter: Math.random,
  timeoutMs: 8_000,
}

/** When payments are misconfigured, an alert names the variable and the gateway rejects every call. */
export function paymentServices(env: RazorpayEnv, log: Log) {
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

/** The calls and the SDK (40 KB compressed) are loaded by the first call, because most isolates make none. */
export function razorpayGateway(
  settings: RazorpaySettings,
  pacing: Pacing,
  log: Pick<Log, 'alert'>,
): PaymentGateway {
  const { mode, keyId, keySecret, checkoutScript, webhookSecrets } = settings
  const { asPort, lastAnswer } = portTo({ mode, pacing, log })
  let wire: Wire | null = null
  return {
    keyId,
    checkoutScript,
    lastAnswer,
    ...callsBy((load, call) =>
      asPort(async () => {
        const calls = await load()
        // Does not keep the promise: workerd lets no request wait for work that another began.
        wire ??= (await import('./transport.ts')).openWire(settings, pacing, log)
        return call(calls, wire)
      }),
    ),
    isCheckoutSignature: (parts) => isCheckoutSignature(keySecret, parts),
    isLinkSignature: (parts) => isLinkSignature(keySecret, parts),
    isWebhookSignature: (body, signature) => isWebhookSignature(webhookSecrets, body, signature),
    readEvent: (body) => readEvent(body, mode),
  }
}

const orders = () => import('./orders.ts')
const payments = () => import('./payments.ts')
const links = () => import('./links.ts')

type Ask = <Calls, Result>(
  load: () => Promise<Calls>,
  call: (calls: Calls, wire: Wire) => Promise<Result>,
) => Promise<Result>

/** The calls that talk to Razorpay, each made by `ask`. */
function callsBy(ask: Ask) {
  return {
    createOrder: (request) => ask(orders, (calls, wire) => calls.createOrder(wire, request)),
    findOrder: (request) => ask(orders, (calls, wire) => calls.findOrder(wire, request)),
    fetchReceipt: (id) => ask(orders, (calls, wire) => calls.fetchReceipt(wire, id)),
    paymentsOfOrder: (id) => ask(payments, (calls, wire) => calls.paymentsOfOrder(wire, id)),
    fetchPayment: (id) => ask(payments, (calls, wire) => calls.fetchPayment(wire, id)),
    paymentsBetween: (...span) =>
      ask(payments, (calls, wire) => calls.paymentsBetween(wire, ...span)),
    capture: (payment) => ask(payments, (calls, wire) => calls.capture(wire, payment)),
    refundsOfPayment: (id) => ask(payments, (calls, wire) => calls.refundsOfPayment(wire, id)),
    refundsBetween: (...span) =>
      ask(payments, (calls, wire) => calls.refundsBetween(wire, ...span)),
    disputesSince: (from) => ask(payments, (calls, wire) => calls.disputesSince(wire, from)),
    fetchRefund: (id) => ask(payments, (calls, wire) => calls.fetchRefund(wire, id)),
    fetchDispute: (id) => ask(payments, (calls, wire) => calls.fetchDispute(wire, id)),
    refund: (request) => ask(payments, (calls, wire) => calls.refund(wire, request)),
    createLink: (request) => ask(links, (calls, wire) => calls.createLink(wire, request)),
    linkPayments: (id) => ask(links, (calls, wire) => calls.linkPayments(wire, id)),
    cancelLink: (id) => ask(links, (calls, wire) => calls.cancelLink(wire, id)),
  } satisfies Partial<PaymentGateway>
}

const rejection = () =>
  new ApiError('NOT_CONFIGURED', PURCHASE.providerUnavailable, { retryAfterSeconds: 60 })

const refuse = () => Promise.reject(rejection())

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
    throw rejection()
  },
}
