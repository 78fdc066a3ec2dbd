import { defineEndpoint, success } from './endpoint.ts'
import { WEBHOOK_MAX_BYTES } from './limits.ts'
import { z } from './zod.ts'

/** The signature of the raw body is checked before the body is parsed, so the schema accepts anything. */
export const razorpayWebhookEndpoint = defineEndpoint({
  id: 'razorpayWebhook',
  method: 'POST',
  path: '/api/webhooks/razorpay',
  access: 'provider',
  body: z.unknown(),
  success: success({}),
  errors: ['SIGNATURE_INVALID'],
  maxBytes: WEBHOOK_MAX_BYTES,
})

/** Payment links return the buyer here. Redirects to our pages. */
export const paymentLinkCallbackEndpoint = defineEndpoint({
  id: 'paymentLinkCallback',
  method: 'GET',
  path: '/api/payment/link-callback',
  access: 'public',
  query: z.object({
    razorpay_payment_id: z.string().max(40).optional(),
    razorpay_payment_link_id: z.string().max(40).optional(),
    razorpay_payment_link_reference_id: z.string().max(60).optional(),
    razorpay_payment_link_status: z.string().max(40).optional(),
    razorpay_signature: z.string().max(128).optional(),
  }),
  success: success({}),
  limit: 'activation',
})

/** The checkout widget posts its result here in browsers where it cannot call the page. Redirects to our pages. */
export const checkoutCallbackEndpoint = defineEndpoint({
  id: 'checkoutCallback',
  method: 'POST',
  path: '/api/payment/checkout-callback',
  access: 'public',
  body: z.object({
    razorpay_payment_id: z.string().max(40).optional(),
    razorpay_order_id: z.string().max(40).optional(),
    razorpay_signature: z.string().max(128).optional(),
    'error[code]': z.string().max(60).optional(),
    'error[description]': z.string().max(1_000).optional(),
    'error[source]': z.string().max(60).optional(),
    'error[step]': z.string().max(60).optional(),
    'error[reason]': z.string().max(100).optional(),
    'error[metadata]': z.string().max(1_000).optional(),
  }),
  success: success({}),
  limit: 'activation',
  takesForm: true,
})
