import type { LinkReturn, Triple } from '../../../src/contract/purchase.ts'

const HEX = /^[0-9a-f]{64}$/

/** Whether Razorpay signed this checkout of an order. Razorpay's subscriptions use the reverse order of ids. */
export function isCheckoutSignature(keySecret: string, parts: Triple): Promise<boolean> {
  const message = `${parts.orderId}|${parts.paymentId}`
  return isHmac(keySecret, new TextEncoder().encode(message), parts.signature)
}

/** Whether Razorpay signed the return from a payment link. */
export function isLinkSignature(keySecret: string, parts: LinkReturn): Promise<boolean> {
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
