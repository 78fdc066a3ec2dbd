import { createHmac } from 'node:crypto'

/** HMAC-SHA256 in lower-case hex, the form of all Razorpay signatures. */
export function sign(message: string, secret: string): string {
  return createHmac('sha256', secret).update(message).digest('hex')
}

/** Signs the checkout's result: order id first (subscriptions would have it reversed). */
export function signCheckout(orderId: string, paymentId: string, keySecret: string): string {
  return sign(`${orderId}|${paymentId}`, keySecret)
}

/** Signs a payment link's redirect; a link without reference signs an empty one. */
export function signLink(
  link: { id: string; referenceId: string; status: string; paymentId: string },
  keySecret: string,
): string {
  return sign(`${link.id}|${link.referenceId}|${link.status}|${link.paymentId}`, keySecret)
}
