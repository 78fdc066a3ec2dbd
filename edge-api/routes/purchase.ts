import type { Hono } from 'hono'
import {
  activateOrderPublicEndpoint,
  activateSubscriptionEndpoint,
  activateTokenPurchaseEndpoint,
  createOrderEndpoint,
  createPaymentLinkEndpoint,
  createSubscriptionEndpoint,
  createTokenOrderEndpoint,
  paymentStatusEndpoint,
  verifyPaymentEndpoint,
} from '../../src/contract/purchase.ts'
import { purchasesEndpoint, receiptEndpoint, receiptsEndpoint } from '../../src/contract/receipt.ts'
import {
  askRefundEndpoint,
  mailRefundLinkEndpoint,
  refundQuoteEndpoint,
} from '../../src/contract/refund.ts'
import { activateOrderPublic } from '../domain/purchase/activate-order-public.ts'
import { askRefund, mailRefundLink, refundQuote } from '../domain/purchase/ask-refund.ts'
import {
  activateSubscription,
  activateTokenPurchase,
  verifyPayment,
} from '../domain/purchase/verify-payment.ts'
import {
  createOrder,
  createSubscription,
  createTokenOrder,
} from '../domain/purchase/create-order.ts'
import { createPaymentLink } from '../domain/purchase/create-payment-link.ts'
import { listReceipts } from '../domain/purchase/list-receipts.ts'
import { getReceipt, listPurchases } from '../domain/purchase/purchase-history.ts'
import { paymentStatus } from '../domain/purchase/payment-status.ts'
import type { AppEnv } from '../http/env.ts'
import { mountPublic, mountSession } from '../http/mount-endpoint.ts'

/** Orders, payments, receipts, refunds. */
export function mountPurchase(app: Hono<AppEnv>): void {
  mountSession(app, createOrderEndpoint, createOrder)
  mountSession(app, createSubscriptionEndpoint, createSubscription)
  mountSession(app, createTokenOrderEndpoint, createTokenOrder)
  mountSession(app, createPaymentLinkEndpoint, createPaymentLink)
  mountSession(app, verifyPaymentEndpoint, verifyPayment)
  mountSession(app, activateTokenPurchaseEndpoint, activateTokenPurchase)
  mountPublic(app, activateOrderPublicEndpoint, activateOrderPublic)
  mountSession(app, activateSubscriptionEndpoint, activateSubscription)
  mountSession(app, paymentStatusEndpoint, paymentStatus)
  mountSession(app, purchasesEndpoint, listPurchases)
  mountSession(app, receiptsEndpoint, listReceipts)
  mountSession(app, receiptEndpoint, getReceipt)
  mountSession(app, refundQuoteEndpoint, refundQuote)
  mountSession(app, askRefundEndpoint, askRefund)
  mountSession(app, mailRefundLinkEndpoint, mailRefundLink)
}
