import { z } from 'zod'

/** The three fields that the checkout hands to the page's handler. */
export const Triple = z.object({
  razorpay_payment_id: z.string(),
  razorpay_order_id: z.string(),
  razorpay_signature: z.string(),
})
export type Triple = z.infer<typeof Triple>

export const CheckoutFailure = z.object({
  code: z.string(),
  description: z.string(),
  source: z.string(),
  step: z.string(),
  reason: z.string(),
  metadata: z.object({ order_id: z.string(), payment_id: z.string().optional() }),
})
export type CheckoutFailure = z.infer<typeof CheckoutFailure>

/**
 * One thing the checkout window does after a payment: tell the page of a failure, call its handler,
 * close as if the buyer had (dismiss), or be gone without a word (vanish).
 */
export const Step = z.discriminatedUnion('type', [
  z.object({ type: z.literal('failed'), error: CheckoutFailure }),
  z.object({ type: z.literal('success'), triple: Triple, times: z.int(), delayMs: z.int() }),
  z.object({ type: z.literal('dismiss') }),
  z.object({ type: z.literal('vanish') }),
  z.object({ type: z.literal('note'), text: z.string() }),
])
export type Step = z.infer<typeof Step>
