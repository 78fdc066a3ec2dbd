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
import type { AppEnv } from '../http/env.ts'
import { mountPublic, mountSession, onDemand } from '../http/mount-endpoint.ts'

const createOrder = () => import('../domain/purchase/create-order.ts')
const createPaymentLink = () => import('../domain/purchase/payment-link.ts')
const verifyPayment = () => import('../domain/purchase/verify-payment.ts')
const paymentStatus = () => import('../domain/purchase/purchase.ts')
const purchaseHistory = () => import('../domain/purchase/purchase-history.ts')
const receipts = () => import('../domain/purchase/receipts.ts')
const requestRefund = () => import('../domain/purchase/request-refund.ts')

/** Orders, payments, receipts, refunds. */
export function mountPurchase(app: Hono<AppEnv>): void {
  mountSession(app, createOrderEndpoint, onDemand(createOrder, 'createOrder'))
  mountSession(app, createSubscriptionEndpoint, onDemand(createOrder, 'createSubscription'))
  mountSession(app, createTokenOrderEndpoint, onDemand(createOrder, 'createTokenOrder'))
  mountSession(app, createPaymentLinkEndpoint, onDemand(createPaymentLink, 'createPaymentLink'))
  mountSession(app, verifyPaymentEndpoint, onDemand(verifyPayment, 'verifyPayment'))
  mountSession(app, activateTokenPurchaseEndpoint, onDemand(verifyPayment, 'activateTokenPurchase'))
  mountPublic(app, activateOrderPublicEndpoint, onDemand(verifyPayment, 'activateOrderPublic'))
  mountSession(app, activateSubscriptionEndpoint, onDemand(verifyPayment, 'activateSubscription'))
  mountSession(app, paymentStatusEndpoint, onDemand(paymentStatus, 'paymentStatus'))
  mountSession(app, purchasesEndpoint, onDemand(purchaseHistory, 'listPurchases'))
  mountSession(app, receiptsEndpoint, onDemand(receipts, 'listReceipts'))
  mountSession(app, receiptEndpoint, onDemand(receipts, 'getReceipt'))
  mountSession(app, refundQuoteEndpoint, onDemand(requestRefund, 'refundQuote'))
  mountSession(app, askRefundEndpoint, onDemand(requestRefund, 'askRefund'))
  mountSession(app, mailRefundLinkEndpoint, onDemand(requestRefund, 'mailRefundLink'))
}
