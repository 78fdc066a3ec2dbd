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
import { mountPublic, mountSession } from '../http/mount-endpoint.ts'
import { later } from './later.ts'

const createOrder = () => import('../domain/purchase/create-order.ts')
const createPaymentLink = () => import('../domain/purchase/create-payment-link.ts')
const verifyPayment = () => import('../domain/purchase/verify-payment.ts')
const activateOrderPublic = () => import('../domain/purchase/activate-order-public.ts')
const paymentStatus = () => import('../domain/purchase/payment-status.ts')
const purchaseHistory = () => import('../domain/purchase/purchase-history.ts')
const listReceipts = () => import('../domain/purchase/list-receipts.ts')
const askRefund = () => import('../domain/purchase/ask-refund.ts')

/** Orders, payments, receipts, refunds. */
export function mountPurchase(app: Hono<AppEnv>): void {
  mountSession(app, createOrderEndpoint, later(createOrder, 'createOrder'))
  mountSession(app, createSubscriptionEndpoint, later(createOrder, 'createSubscription'))
  mountSession(app, createTokenOrderEndpoint, later(createOrder, 'createTokenOrder'))
  mountSession(app, createPaymentLinkEndpoint, later(createPaymentLink, 'createPaymentLink'))
  mountSession(app, verifyPaymentEndpoint, later(verifyPayment, 'verifyPayment'))
  mountSession(app, activateTokenPurchaseEndpoint, later(verifyPayment, 'activateTokenPurchase'))
  mountPublic(app, activateOrderPublicEndpoint, later(activateOrderPublic, 'activateOrderPublic'))
  mountSession(app, activateSubscriptionEndpoint, later(verifyPayment, 'activateSubscription'))
  mountSession(app, paymentStatusEndpoint, later(paymentStatus, 'paymentStatus'))
  mountSession(app, purchasesEndpoint, later(purchaseHistory, 'listPurchases'))
  mountSession(app, receiptsEndpoint, later(listReceipts, 'listReceipts'))
  mountSession(app, receiptEndpoint, later(purchaseHistory, 'getReceipt'))
  mountSession(app, refundQuoteEndpoint, later(askRefund, 'refundQuote'))
  mountSession(app, askRefundEndpoint, later(askRefund, 'askRefund'))
  mountSession(app, mailRefundLinkEndpoint, later(askRefund, 'mailRefundLink'))
}
