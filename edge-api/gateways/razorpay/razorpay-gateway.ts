import { PURCHASE } from '../../../src/contract/messages.ts'
import type { LinkProof, CheckoutProof } from '../../../src/contract/purchase.ts'
import type { Log } from '../../domain/ports/log.ts'
import type { PaymentGateway, PaymentMode } from '../../domain/ports/payments.ts'
import { ApiError } from '../../domain/api-error.ts'
import { openClient, type Pacing, portTo, type Client } from './call.ts'
import { readEvent } from './read-event.ts'
import type * as Requests from './requests.ts'
import {
  type RazorpayEnv,
  RazorpayNotConfigured,
  type RazorpaySettings,
  resolveRazorpay,
} from './resolve-razorpay.ts'

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

/** Calls Razorpay with these settings. */
export function razorpayGateway(
  settings: RazorpaySettings,
  pacing: Pacing,
  log: Pick<Log, 'alert'>,
): PaymentGateway {
  const { mode, keyId, keySecret, checkoutScript, webhookSecrets } = settings
  const { asPort, lastAnswer } = portTo({ mode, pacing, log })
  let client: Client | null = null
  return {
    keyId,
    checkoutScript,
    lastAnswer,
    ...requestsBy((send) =>
      asPort(async () => {
        // Loaded by the first request, because most isolates make none. Does not keep the promise: workerd lets no request wait
        // for work that another began.
        const requests = await import('./requests.ts')
        client ??= await openClient(settings, pacing, log)
        return send(requests, client)
      }),
    ),
    isCheckoutSignature: (parts) => isCheckoutSignature(keySecret, parts),
    isLinkSignature: (parts) => isLinkSignature(keySecret, parts),
    isWebhookSignature: (body, signature) => isWebhookSignature(webhookSecrets, body, signature),
    readEvent: (body) => readEvent(body, mode),
  }
}

type Ask = <Result>(
  send: (requests: typeof Requests, client: Client) => Promise<Result>,
) => Promise<Result>

/** The methods that send requests, each by `ask`. */
function requestsBy(ask: Ask) {
  return {
    createOrder: (order) => ask((requests, client) => requests.createOrder(client, order)),
    fetchReceipt: (id) => ask((requests, client) => requests.fetchReceipt(client, id)),
    paymentsOfOrder: (id) => ask((requests, client) => requests.paymentsOfOrder(client, id)),
    fetchPayment: (id) => ask((requests, client) => requests.fetchPayment(client, id)),
    paymentsBetween: (...span) =>
      ask((requests, client) => requests.paymentsBetween(client, ...span)),
    capture: (payment) => ask((requests, client) => requests.capture(client, payment)),
    refundsOfPayment: (id) => ask((requests, client) => requests.refundsOfPayment(client, id)),
    refundsBetween: (...span) =>
      ask((requests, client) => requests.refundsBetween(client, ...span)),
    disputesSince: (from) => ask((requests, client) => requests.disputesSince(client, from)),
    fetchDispute: (id) => ask((requests, client) => requests.fetchDispute(client, id)),
    refund: (request) => ask((requests, client) => requests.refund(client, request)),
    createLink: (link) => ask((requests, client) => requests.createLink(client, link)),
    linkPayments: (id) => ask((requests, client) => requests.linkPayments(client, id)),
    cancelLink: (id) => ask((requests, client) => requests.cancelLink(client, id)),
  } satisfies Partial<PaymentGateway>
}

const rejection = () =>
  new ApiError('NOT_CONFIGURED', PURCHASE.providerUnavailable, { retryAfterSeconds: 60 })

const reject = () => Promise.reject(rejection())

/** Used while payments are misconfigured: nothing can be bought, everything else works. */
export const unavailableGateway: PaymentGateway = {
  ...requestsBy(reject),
  keyId: '',
  checkoutScript: '',
  lastAnswer: () => null,
  isCheckoutSignature: reject,
  isLinkSignature: reject,
  isWebhookSignature: reject,
  readEvent: () => {
    throw rejection()
  },
}

const HEX = /^[0-9a-f]{64}$/

/** Whether Razorpay signed this checkout of an order. Razorpay's subscriptions use the reverse order of ids. */
export function isCheckoutSignature(keySecret: string, parts: CheckoutProof): Promise<boolean> {
  const message = `${parts.orderId}|${parts.paymentId}`
  return isHmac(keySecret, new TextEncoder().encode(message), parts.signature)
}

/** Whether Razorpay signed the return from a payment link. */
export function isLinkSignature(keySecret: string, parts: LinkProof): Promise<boolean> {
  const { paymentLinkId, referenceId, linkStatus, paymentId, signature } = parts
  const message = [paymentLinkId, referenceId, linkStatus, paymentId].join('|')
  return isHmac(keySecret, new TextEncoder().encode(message), signature)
}

/** Whether any of the secrets signed the raw bytes of a webhook. There are several while one is being replaced. */
export async function isWebhookSignature(
  secrets: readonly string[],
  body: Uint8Array<ArrayBuffer>,
  signature: string,
): Promise<boolean> {
  const answers = await Promise.all(secrets.map((secret) => isHmac(secret, body, signature)))
  return answers.includes(true)
}

/** HMAC-SHA256 in lower-case hex, compared in constant time. An empty secret throws. */
async function isHmac(
  secret: string,
  message: Uint8Array<ArrayBuffer>,
  signature: string,
): Promise<boolean> {
  if (!HEX.test(signature)) return false
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const raw = new TextEncoder().encode(secret)
  const key = await crypto.subtle.importKey('raw', raw, algorithm, false, ['verify'])
  return crypto.subtle.verify('HMAC', key, Buffer.from(signature, 'hex'), message)
}
