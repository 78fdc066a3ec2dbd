import { createHmac } from 'node:crypto'
import { testSecrets } from '../secrets.ts'
import type { Answer } from '../visitor.ts'
import { newVisitor } from '../visitor.ts'

export interface Sending {
  secret?: string
  /** Instead of the right one; null sends none. */
  signature?: string | null
  /** Null sends none. */
  eventId?: string | null
}

/** The signature Razorpay sends beside these bytes. */
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

/** An event about one payment, with as much of the entity as Razorpay always sends. */
export function paymentEvent(event: string, payment: Record<string, unknown>): string {
  const entity = {
    entity: 'payment',
    status: 'captured',
    captured: true,
    currency: 'USD',
    amount: 3_500,
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
