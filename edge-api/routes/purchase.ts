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
import { whenCalled } from '../http/when-called.ts'

const publicly = () => import('../domain/purchase/activate-order-public.ts')
const refunds = () => import('../domain/purchase/ask-refund.ts')
const verified = () => import('../domain/purchase/verify-payment.ts')
const orders = () => import('../domain/purchase/create-order.ts')
const links = () => import('../domain/purchase/create-payment-link.ts')
const receipts = () => import('../domain/purchase/list-receipts.ts')
const history = () => import('../domain/purchase/purchase-history.ts')
const status = () => import('../domain/purchase/payment-status.ts')

/** Orders, payments, receipts, refunds. */
export function mountPurchase(app: Hono<AppEnv>): void {
  mountSession(
    app,
    createOrderEndpoint,
    whenCalled(orders, (verbs) => verbs.createOrder),
  )
  mountSession(
    app,
    createSubscriptionEndpoint,
    whenCalled(orders, (verbs) => verbs.createSubscription),
  )
  mountSession(
    app,
    createTokenOrderEndpoint,
    whenCalled(orders, (verbs) => verbs.createTokenOrder),
  )
  mountSession(
    app,
    createPaymentLinkEndpoint,
    whenCalled(links, (verbs) => verbs.createPaymentLink),
  )
  mountSession(
    app,
    verifyPaymentEndpoint,
    whenCalled(verified, (verbs) => verbs.verifyPayment),
  )
  mountSession(
    app,
    activateTokenPurchaseEndpoint,
    whenCalled(verified, (verbs) => verbs.activateTokenPurchase),
  )
  mountPublic(
    app,
    activateOrderPublicEndpoint,
    whenCalled(publicly, (verbs) => verbs.activateOrderPublic),
  )
  mountSession(
    app,
    activateSubscriptionEndpoint,
    whenCalled(verified, (verbs) => verbs.activateSubscription),
  )
  mountSession(
    app,
    paymentStatusEndpoint,
    whenCalled(status, (verbs) => verbs.paymentStatus),
  )
  mountSession(
    app,
    purchasesEndpoint,
    whenCalled(history, (verbs) => verbs.listPurchases),
  )
  mountSession(
    app,
    receiptsEndpoint,
    whenCalled(receipts, (verbs) => verbs.listReceipts),
  )
  mountSession(
    app,
    receiptEndpoint,
    whenCalled(history, (verbs) => verbs.getReceipt),
  )
  mountSession(
    app,
    refundQuoteEndpoint,
    whenCalled(refunds, (verbs) => verbs.refundQuote),
  )
  mountSession(
    app,
    askRefundEndpoint,
    whenCalled(refunds, (verbs) => verbs.askRefund),
  )
  mountSession(
    app,
    mailRefundLinkEndpoint,
    whenCalled(refunds, (verbs) => verbs.mailRefundLink),
  )
}
