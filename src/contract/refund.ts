import { Currency } from './currency.ts'
import { defineEndpoint, success } from './endpoint.ts'
import { LinkSecret } from './credential.ts'
import { REFUND_DAYS } from './limits.ts'
import { Id, Instant } from './text.ts'
import { z } from './zod.ts'

/** Sentences about refunds that buyers ask for themselves. */
export const REFUND = {
  asked: 'You withdrew from this purchase. We will email you when the money is on its way.',
  linkSent: 'We sent you a link. Open it within an hour to confirm.',
  changed:
    'More tokens have been used since, so the amount has changed. Please check it and confirm again.',
  notPaid: 'Only a paid purchase can be refunded.',
  over: `The ${REFUND_DAYS} days to request this refund are over. If something is wrong, please write to support.`,
  nothingUnused: 'All tokens of this purchase have been used, so there is nothing to refund.',
  tooLittle: 'Less than 1.00 cannot be refunded here. Please write to support.',
  refunded: 'The money of this purchase has already gone back.',
  packsFirst:
    'You bought a token pack with this plan, and a pack needs a plan. Please withdraw from the pack first, then from the plan. If the pack cannot be withdrawn from here, write to support.',
  often:
    'You have had two refunds here in the last 365 days. Please write to support for this one: you have the same right to it.',
  disputed: 'Your bank is disputing this payment and decides what is refunded.',
} as const

/** The least that Razorpay takes and, as far as we know, sends back: 1.00 of a currency, in minor units. */
export const REFUND_MIN_MINOR = 100

/** How many refunds an account can take by itself in 365 days. Further ones go through support, which looks for abuse. */
export const REFUNDS_A_YEAR = 2

/** A buyer's refund of a purchase. Amounts in minor units of its currency. */
export const RefundQuote = z.object({
  purchaseId: Id,
  item: z.string().max(60),
  kind: z.enum(['plan', 'token_pack']),
  price: z.int(),
  currency: Currency,
  /** What the purchase holds. */
  tokens: z.int(),
  /** Its unused tokens; once the refund is requested, the tokens that it took. */
  unusedTokens: z.int(),
  /** price × unusedTokens ÷ tokens, to the nearest minor unit, and no more than what has not gone back yet. */
  amount: z.int(),
  /** Until when it may be requested: the day that this instant falls on counts in every time zone. */
  until: Instant,
  /** Null until the buyer asked. */
  askedAt: Instant.nullable(),
  /** Null until all of it was sent; also null if the bank returned the payment instead. */
  sentAt: Instant.nullable(),
})
export type RefundQuote = z.infer<typeof RefundQuote>

const ofPurchase = z.object({ purchaseId: Id })

export const refundQuoteEndpoint = defineEndpoint({
  id: 'refundQuote',
  method: 'GET',
  path: '/api/payment/refunds/{purchaseId}',
  access: 'session',
  params: ofPurchase,
  success: success({ refund: RefundQuote }),
  errors: ['NOT_FOUND', 'NOTHING_TO_CHANGE'],
})

export const askRefundEndpoint = defineEndpoint({
  id: 'askRefund',
  method: 'POST',
  path: '/api/payment/refunds/{purchaseId}',
  access: 'session',
  params: ofPurchase,
  body: z.object({
    /** The sum that the buyer saw, in minor units. The server only compares it. */
    amount: z.int().min(1).max(1_000_000_000),
    /** The secret of the mailed link, for accounts without password and second step. */
    secret: LinkSecret.optional(),
  }),
  success: success({ refund: RefundQuote }),
  errors: [
    'NOT_FOUND',
    'NOTHING_TO_CHANGE',
    'AMOUNT_MISMATCH',
    'STEP_UP_REQUIRED',
    'LINK_INVALID',
    'PAYMENT_PROVIDER_UNAVAILABLE',
  ],
  limit: 'order',
})

export const mailRefundLinkEndpoint = defineEndpoint({
  id: 'mailRefundLink',
  method: 'POST',
  path: '/api/payment/refunds/{purchaseId}/link',
  access: 'session',
  params: ofPurchase,
  success: success({}),
  errors: ['NOT_FOUND', 'NOTHING_TO_CHANGE', 'STEP_UP_REQUIRED'],
  limit: 'order',
})
