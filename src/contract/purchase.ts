import { DEFAULT_CURRENCY } from './kinds.ts'
import { Currency } from './currency.ts'
import { defineEndpoint, success } from './endpoint.ts'
import { IDEMPOTENCY_KEY_MAX, PAYMENT_DESCRIPTION_MAX } from './limits.ts'
import { VALUE } from './field-messages.ts'
import { Id, Instant, text } from './text.ts'
import { z } from './zod.ts'

/** Razorpay's ids: a prefix and 14 letters or digits. The schema is strict because the server puts them into URLs. */
export const RazorpayOrderId = z
  .string(VALUE.asRazorpay)
  .regex(/^order_[A-Za-z0-9]{14}$/)
  .max(20)
export const RazorpayPaymentId = z
  .string(VALUE.asRazorpay)
  .regex(/^pay_[A-Za-z0-9]{14}$/)
  .max(18)
export const RazorpayLinkId = z
  .string(VALUE.asRazorpay)
  .regex(/^plink_[A-Za-z0-9]{14}$/)
  .max(20)
/** HMAC-SHA256 in lower-case hex. */
export const Signature = z
  .string(VALUE.asRazorpay)
  .regex(/^[0-9a-f]{64}$/)
  .max(64)

const PlanType = z.string().max(40)
const Amount = z.number().min(0).max(10_000_000)

/** The data with which the page opens the checkout widget. The amount is in minor units, as Razorpay requires. */
export const Checkout = z.object({
  purchaseId: Id,
  /** The seller as the payment window shows it; the colour is in hex. */
  seller: z.object({ name: z.string().max(60), color: z.string().max(9) }),
  order: z.object({ id: z.string().max(40), amount: z.int(), currency: Currency }),
  upiEnabled: z.boolean(),
  razorpayKeyId: z.string().max(60),
  checkoutScript: z.string().max(300),
  /** The payment mode. Its values are not listed, because browsers load this file. */
  mode: z.string().max(20),
})
export type Checkout = z.infer<typeof Checkout>

const ORDER_ERRORS = [
  'INVALID_PLAN_TYPE',
  'AMOUNT_MISMATCH',
  'PLAN_ALREADY_ACTIVE',
  'BILLING_REQUIRED',
  'CURRENCY_REFUSED',
  'IDEMPOTENCY_KEY_REUSED',
  'PAYMENT_PROVIDER_UNAVAILABLE',
  'SALES_PAUSED',
] as const

const OrderInput = z.object({
  planType: PlanType,
  /** Major units. The server only compares it with the catalogue's price. */
  amount: Amount.optional(),
  /** From then on the one in which the account sees prices first, too. */
  preferredCurrency: Currency.default(DEFAULT_CURRENCY),
})
export type OrderInput = z.infer<typeof OrderInput>

export const createOrderEndpoint = defineEndpoint({
  id: 'createOrder',
  method: 'POST',
  path: '/api/payment/create-order',
  access: 'session',
  body: OrderInput,
  success: success(Checkout.shape),
  errors: ORDER_ERRORS,
  limit: 'order',
  idempotent: true,
})

export const createSubscriptionEndpoint = defineEndpoint({
  id: 'createSubscription',
  method: 'POST',
  path: '/api/payment/create-subscription',
  access: 'session',
  body: OrderInput,
  success: success({
    subscription: Checkout.omit({ purchaseId: true }).extend({
      id: Id,
      planName: z.string().max(60),
    }),
  }),
  errors: ORDER_ERRORS,
  limit: 'order',
  idempotent: true,
})

export const createTokenOrderEndpoint = defineEndpoint({
  id: 'createTokenOrder',
  method: 'POST',
  path: '/api/payment/create-token-order',
  access: 'session',
  body: z.object({ currency: Currency.default(DEFAULT_CURRENCY) }),
  success: success(Checkout.shape),
  errors: [
    'PLAN_REQUIRED',
    'BILLING_REQUIRED',
    'CURRENCY_REFUSED',
    'IDEMPOTENCY_KEY_REUSED',
    'PAYMENT_PROVIDER_UNAVAILABLE',
    'SALES_PAUSED',
  ],
  limit: 'order',
  idempotent: true,
})

export const createPaymentLinkEndpoint = defineEndpoint({
  id: 'createPaymentLink',
  method: 'POST',
  path: '/api/payment/create-payment-link',
  access: 'session',
  body: OrderInput.extend({
    description: text({ max: PAYMENT_DESCRIPTION_MAX }).optional(),
  }),
  success: success({
    paymentLink: z.object({
      id: z.string().max(40),
      purchaseId: Id,
      url: z.string().max(500),
      amount: z.int(),
      currency: Currency,
      expiresAt: Instant,
    }),
  }),
  errors: ORDER_ERRORS,
  limit: 'order',
  idempotent: true,
})

/**
 * The status of a purchase, and the settlement that it gives: the answer to a browser or an app that waits for a payment.
 *
 *     status       settlement
 *     open         pending      it can be paid
 *     attempted    failed (*)   every payment failed or was sent back; another may still succeed
 *     authorized   pending      a payment is on its way
 *     paid         paid         its tokens were granted
 *     review       review       captured money granted nothing, and is still to be sent back
 *     refunded     refunded     the money went back, or what the buyer asked for
 *     expired      failed (*)   it was not paid within 96 hours; money that arrives later still counts
 *
 * (*) `pending` if a signature proved a payment that has not arrived. An `open` purchase is then shown as `attempted`.
 *
 * The list of purchases adds a third word, `state` (receipt.ts): it names refunds and disputes too.
 */
export const PurchaseStatus = z.enum([
  'open',
  'attempted',
  'authorized',
  'paid',
  'review',
  'refunded',
  'expired',
])

/** The answer of every call that confirms a payment. There the field is called `status`. */
export const Settlement = z.enum(['pending', 'paid', 'failed', 'review', 'refunded'])
export type Settlement = z.infer<typeof Settlement>

/** What the payment window returns after a payment: Razorpay's signature proves that the payment belongs to the order. */
export const CheckoutProof = z.object({
  orderId: RazorpayOrderId,
  paymentId: RazorpayPaymentId,
  signature: Signature,
})
export type CheckoutProof = z.infer<typeof CheckoutProof>

export const verifyPaymentEndpoint = defineEndpoint({
  id: 'verifyPayment',
  method: 'POST',
  path: '/api/payment/verify-payment',
  access: 'session',
  body: CheckoutProof.extend({ planType: PlanType.optional() }),
  success: success({ status: Settlement }),
  errors: ['SIGNATURE_INVALID', 'NOT_FOUND'],
  limit: 'activation',
})

export const activateTokenPurchaseEndpoint = defineEndpoint({
  id: 'activateTokenPurchase',
  method: 'POST',
  path: '/api/payment/activate-token-purchase',
  access: 'session',
  body: CheckoutProof,
  success: success({ status: Settlement }),
  errors: ['SIGNATURE_INVALID', 'NOT_FOUND'],
  limit: 'activation',
})

/** The five parameters Razorpay adds to the callback address of a payment link; its signature covers the other four. */
export const LinkProof = z.object({
  paymentLinkId: RazorpayLinkId,
  referenceId: Id,
  linkStatus: z.string().max(40),
  paymentId: RazorpayPaymentId,
  signature: Signature,
})
export type LinkProof = z.infer<typeof LinkProof>

export const activateOrderPublicEndpoint = defineEndpoint({
  id: 'activateOrderPublic',
  method: 'POST',
  path: '/api/payment/activate-order-public',
  access: 'public',
  body: z.union([CheckoutProof, LinkProof]),
  success: success({ status: z.enum(['pending', 'paid', 'refunded']) }),
  limit: 'activation',
  limitBy: 'order',
})

export const activateSubscriptionEndpoint = defineEndpoint({
  id: 'activateSubscriptionImmediate',
  method: 'POST',
  path: '/api/payment/activate-subscription-immediate',
  access: 'session',
  success: success({ status: Settlement }),
  errors: ['NOT_FOUND'],
  limit: 'activation',
})

export const PurchaseView = z.object({
  purchaseId: Id,
  orderId: z.string().max(40).nullable(),
  status: PurchaseStatus,
  settlement: Settlement,
  item: z.string().max(60),
  sku: z.string().max(40),
  amount: z.int(),
  currency: Currency,
  tokens: z.int(),
  createdAt: Instant,
  paidAt: Instant.nullable(),
})
export type PurchaseView = z.infer<typeof PurchaseView>

export const paymentStatusEndpoint = defineEndpoint({
  id: 'paymentStatus',
  method: 'GET',
  path: '/api/payment/status/{id}',
  access: 'session',
  params: z.object({ id: z.union([Id, RazorpayOrderId, RazorpayPaymentId]) }),
  success: success({ payment: PurchaseView }),
  errors: ['NOT_FOUND'],
})

/** The `Idempotency-Key` header: printable ASCII without blanks, chosen by the client. */
export const IdempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]+$/, VALUE.idempotencyKey)
  .max(IDEMPOTENCY_KEY_MAX, VALUE.idempotencyKey)
