import { MAIN_PLAN, majorAmount } from '../../src/contract/catalogue.ts'
import { PURCHASE, TOAST } from '../../src/contract/messages.ts'
import { REFUND } from '../../src/contract/refund.ts'
import type { Example } from './document-shape.ts'

const PRICE = MAIN_PLAN.priceMinor.USD
const THIRD_USED = Math.round((PRICE * 2) / 3)
const PURCHASE_ID = 'pur_01k9zq3v7w8x9y0abcdefghjkm'
const ORDER_ID = 'order_R8x2kPq1Zb7LmN'
const PAYMENT_ID = 'pay_R8x3mTq9Yc4WvB'
const SIGNATURE = '3f1d'.repeat(16)

const CHECKOUT = {
  seller: { name: 'Example', color: '#1a1a1a' },
  order: { id: ORDER_ID, amount: PRICE, currency: 'USD' },
  upiEnabled: false,
  razorpayKeyId: 'rzp_live_9AbCdEfGhIjKlM',
  checkoutScript: 'https://checkout.razorpay.com/v1/checkout.js',
  mode: 'live',
}
const PROOF = { orderId: ORDER_ID, paymentId: PAYMENT_ID, signature: SIGNATURE }

const PAYMENT = {
  purchaseId: PURCHASE_ID,
  orderId: ORDER_ID,
  status: 'paid',
  settlement: 'paid',
  item: 'Pro',
  sku: 'pro',
  amount: PRICE,
  currency: 'USD',
  tokens: 1_000_000,
  createdAt: '2026-11-02T09:40:00.000Z',
  paidAt: '2026-11-02T09:41:00.000Z',
}

/** A third of the tokens is used. */
const QUOTE = {
  purchaseId: PURCHASE_ID,
  item: 'Pro',
  kind: 'plan',
  price: PRICE,
  currency: 'USD',
  tokens: 1_000_000,
  unusedTokens: 666_667,
  amount: THIRD_USED,
  until: '2026-11-16T09:41:00.000Z',
  askedAt: null,
  sentAt: null,
}

const SETTLED = { success: true, message: TOAST.paymentVerified, status: 'paid' }

export const PAYMENT_EXAMPLES: Readonly<Record<string, Example>> = {
  createOrder: {
    summary: 'Order a plan',
    body: {
      planType: MAIN_PLAN.sku,
      amount: majorAmount(PRICE),
      preferredCurrency: 'USD',
    },
    success: { success: true, purchaseId: PURCHASE_ID, ...CHECKOUT },
  },
  createSubscription: {
    summary: 'Order a plan; the same purchase as create-order, since payment is one-time',
    body: { planType: 'pro', preferredCurrency: 'USD' },
    success: { success: true, subscription: { ...CHECKOUT, id: PURCHASE_ID, planName: 'Pro' } },
  },
  createTokenOrder: {
    summary: 'Order a token pack; needs an active plan',
    body: { currency: 'INR' },
    success: {
      success: true,
      purchaseId: PURCHASE_ID,
      ...CHECKOUT,
      order: { id: ORDER_ID, amount: 219_900, currency: 'INR' },
      upiEnabled: true,
    },
  },
  createPaymentLink: {
    summary: 'A page at Razorpay where a plan can be paid, for example on another device',
    body: {
      planType: MAIN_PLAN.sku,
      amount: majorAmount(PRICE),
      preferredCurrency: 'USD',
      description: 'Pro for Ada',
    },
    success: {
      success: true,
      paymentLink: {
        id: 'plink_R8x5nUq7Xd2SaC',
        purchaseId: PURCHASE_ID,
        url: 'https://rzp.io/rzp/a1B2c3',
        amount: PRICE,
        currency: 'USD',
        expiresAt: '2026-11-03T09:40:00.000Z',
      },
    },
  },
  verifyPayment: {
    summary: "Submit what the checkout widget's handler received",
    body: { ...PROOF, planType: 'pro' },
    success: SETTLED,
  },
  activateTokenPurchase: {
    summary: 'As verify-payment, for a token pack',
    body: PROOF,
    success: { ...SETTLED, message: PURCHASE.tokensPurchased },
  },
  activateOrderPublic: {
    summary: 'Confirm a payment without a session; the tokens go to the user who ordered',
    body: PROOF,
    success: { success: true, message: PURCHASE.confirming, status: 'pending' },
  },
  activateSubscriptionImmediate: {
    summary: 'Ask Razorpay about the latest purchases of the caller and settle the answers',
    success: SETTLED,
  },
  paymentStatus: {
    summary: "State of one of the caller's purchases, by purchase, order or payment id",
    params: { id: PURCHASE_ID },
    success: { success: true, payment: PAYMENT },
  },
  paymentLinkCallback: {
    summary: 'Return of a payment link: settles and redirects (303) to the success or cancel page',
    query: {
      razorpay_payment_id: PAYMENT_ID,
      razorpay_payment_link_id: 'plink_R8x5nUq7Xd2SaC',
      razorpay_payment_link_reference_id: PURCHASE_ID,
      razorpay_payment_link_status: 'paid',
      razorpay_signature: SIGNATURE,
    },
    success: { success: true },
  },
  checkoutCallback: {
    summary:
      'Return of the checkout widget: settles and redirects (303) to the success or cancel page',
    body: {
      razorpay_payment_id: PAYMENT_ID,
      razorpay_order_id: ORDER_ID,
      razorpay_signature: SIGNATURE,
    },
    success: { success: true },
  },
  purchases: {
    summary: "The caller's purchases, newest first",
    query: { limit: 20 },
    success: {
      success: true,
      purchases: [
        {
          ...PAYMENT,
          state: 'paid',
          receiptNumber: 'S-000042',
          amountRefunded: 0,
          method: 'card',
          refundableUntil: '2026-11-16T09:41:00.000Z',
          refund: null,
        },
      ],
      nextCursor: null,
    },
  },
  receipts: {
    summary: "The caller's receipts and credit notes of a month in India time",
    query: { month: '2026-11' },
    success: {
      success: true,
      rows: [
        {
          kind: 'receipt',
          number: 'S-000042',
          issuedAt: '2026-11-02T09:41:00.000Z',
          receiptNumber: 'S-000042',
          cancels: null,
          buyerName: 'Ada Lovelace',
          buyerEmail: 'ada@example.com',
          buyerGstin: null,
          placeOfSupply: null,
          sac: null,
          currency: 'USD',
          ratePercent: 0,
          taxable: PRICE,
          cgst: 0,
          sgst: 0,
          igst: 0,
          total: PRICE,
          paymentId: PAYMENT_ID,
        },
      ],
    },
  },
  receipt: {
    summary: 'The receipt of a paid purchase',
    params: { purchaseId: PURCHASE_ID },
    success: {
      success: true,
      receipt: {
        number: 'S-000042',
        purchaseId: PURCHASE_ID,
        issuedAt: '2026-11-02T09:41:00.000Z',
        seller: { name: 'Example Private Limited', email: 'support@example.com' },
        buyer: { name: 'Ada Lovelace', email: 'ada@example.com' },
        lines: [{ description: 'Example Pro, 365 days', quantity: 1, amount: PRICE }],
        tax: 0,
        total: PRICE,
        currency: 'USD',
        paymentId: PAYMENT_ID,
        method: 'card',
        amountRefunded: 0,
        amountChargedBack: 0,
        invoice: null,
        creditNotes: [],
      },
    },
  },
  refundQuote: {
    summary:
      'What the caller gets back of a purchase: the price times the unused share of its tokens',
    params: { purchaseId: PURCHASE_ID },
    success: { success: true, refund: QUOTE },
  },
  askRefund: {
    summary:
      'Withdraw from a purchase: takes its unused tokens at once, ends a plan, and owes the money',
    params: { purchaseId: PURCHASE_ID },
    body: { amount: THIRD_USED },
    success: {
      success: true,
      message: REFUND.asked,
      refund: { ...QUOTE, askedAt: '2026-11-03T08:00:00.000Z' },
    },
  },
  mailRefundLink: {
    summary:
      'Email the link that confirms a refund, to an account without password and second step',
    params: { purchaseId: PURCHASE_ID },
    success: { success: true, message: REFUND.linkSent },
  },
  razorpayWebhook: {
    summary: 'Events of Razorpay, signed in X-Razorpay-Signature',
    body: { event: 'payment.captured', payload: { payment: { entity: { id: PAYMENT_ID } } } },
    success: { success: true },
  },
}
