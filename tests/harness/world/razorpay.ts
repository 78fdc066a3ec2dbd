import { z } from 'zod'
import { createHmac } from 'node:crypto'
import { MAIN_PLAN } from '../../../src/contract/catalogue.ts'
import { testSecrets } from '../services.ts'
import { type Answer, newVisitor } from '../visitor.ts'

const Triple = z.object({
  razorpay_order_id: z.string(),
  razorpay_payment_id: z.string(),
  razorpay_signature: z.string(),
})

/** The fields of the checkout handler, with our names. */
export interface Triple {
  orderId: string
  paymentId: string
  signature: string
}

export interface RazorpayControl {
  send: (method: string, path: string, body?: unknown) => Promise<unknown>
  /** Pays an order without a browser and returns what the handler would get. */
  pay: (orderId: string, options?: Record<string, unknown>) => Promise<Triple>
  /** Adds a fault rule; the emulator's README lists them. */
  fault: (rule: Record<string, unknown>) => Promise<unknown>
  /** Answers each call of a path with a status, until the faults are cleared. */
  fail: (path?: string, code?: number) => Promise<unknown>
  clearFaults: () => Promise<unknown>
  /** Requests that reached the REST API, newest last. */
  requests: () => Promise<{ method: string; path: string }[]>
}

const Journal = z.array(z.looseObject({ method: z.string(), path: z.string() }))

/** The control API of the emulator. Throws with its answer when it refuses. */
export function controlOf(emulatorUrl: string, call = fetch): RazorpayControl {
  const send: RazorpayControl['send'] = async (method, path, body) => {
    const response = await call(`${emulatorUrl}/__emu${path}`, {
      method,
      headers: { 'x-emu-control': 'local', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text)
  }
  const fault = (rule: Record<string, unknown>) => send('POST', '/faults', rule)
  return {
    send,
    fail: (path = '/v1/*', code = 503) =>
      fault({ match: { path }, times: null, action: { type: 'status', code } }),
    pay: async (orderId, options = {}) => {
      const body = { order_id: orderId, method: 'card', outcome: 'success', ...options }
      const answer = Triple.parse(await send('POST', '/payments', body))
      return {
        orderId: answer.razorpay_order_id,
        paymentId: answer.razorpay_payment_id,
        signature: answer.razorpay_signature,
      }
    },
    fault,
    clearFaults: () => send('DELETE', '/faults'),
    requests: async () => Journal.parse(await send('GET', '/requests')),
  }
}

export interface Sending {
  secret?: string
  /** Replaces the right one; null sends none. */
  signature?: string | null
  /** Null sends none. */
  eventId?: string | null
}

/** The signature that Razorpay sends with these bytes. */
export function signWebhook(body: string, secret = testSecrets.RAZORPAY_WEBHOOK_SECRETS): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

/** Sends a webhook as Razorpay does: the exact bytes, signed. */
export function sendWebhook(siteUrl: string, body: string, sending: Sending = {}): Promise<Answer> {
  const { secret = testSecrets.RAZORPAY_WEBHOOK_SECRETS } = sending
  const { signature = signWebhook(body, secret), eventId = crypto.randomUUID().slice(0, 14) } =
    sending
  return newVisitor(siteUrl).call('/api/webhooks/razorpay', {
    method: 'POST',
    text: body,
    headers: {
      'content-type': 'application/json',
      ...(signature === null ? {} : { 'x-razorpay-signature': signature }),
      ...(eventId === null ? {} : { 'x-razorpay-event-id': eventId }),
    },
  })
}

/** An event about one payment, with the fields of the entity that Razorpay always sends. */
export function paymentEvent(event: string, payment: Record<string, unknown>): string {
  const entity = {
    entity: 'payment',
    status: 'captured',
    captured: true,
    currency: 'USD',
    amount: MAIN_PLAN.priceMinor.USD,
    amount_refunded: 0,
    method: 'card',
    error_reason: null,
    ...payment,
  }
  return JSON.stringify({
    entity: 'event',
    account_id: 'acc_EMUacct0000001',
    event,
    contains: ['payment'],
    payload: { payment: { entity } },
    created_at: 1_790_000_000,
  })
}
