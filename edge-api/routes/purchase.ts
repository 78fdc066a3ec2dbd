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

/** Orders, payments, receipts, refunds. */
export function mountPurchase(app: Hono<AppEnv>): void {
  mountSession(app, createOrderEndpoint, async (...call) =>
    (await import('../domain/purchase/create-order.ts')).createOrder(...call),
  )
  mountSession(app, createSubscriptionEndpoint, async (...call) =>
    (await import('../domain/purchase/create-order.ts')).createSubscription(...call),
  )
  mountSession(app, createTokenOrderEndpoint, async (...call) =>
    (await import('../domain/purchase/create-order.ts')).createTokenOrder(...call),
  )
  mountSession(app, createPaymentLinkEndpoint, async (...call) =>
    (await import('../domain/purchase/create-payment-link.ts')).createPaymentLink(...call),
  )
  mountSession(app, verifyPaymentEndpoint, async (...call) =>
    (await import('../domain/purchase/verify-payment.ts')).verifyPayment(...call),
  )
  mountSession(app, activateTokenPurchaseEndpoint, async (...call) =>
    (await import('../domain/purchase/verify-payment.ts')).activateTokenPurchase(...call),
  )
  mountPublic(app, activateOrderPublicEndpoint, async (...call) =>
    (await import('../domain/purchase/activate-order-public.ts')).activateOrderPublic(...call),
  )
  mountSession(app, activateSubscriptionEndpoint, async (...call) =>
    (await import('../domain/purchase/verify-payment.ts')).activateSubscription(...call),
  )
  mountSession(app, paymentStatusEndpoint, async (...call) =>
    (await import('../domain/purchase/payment-status.ts')).paymentStatus(...call),
  )
  mountSession(app, purchasesEndpoint, async (...call) =>
    (await import('../domain/purchase/purchase-history.ts')).listPurchases(...call),
  )
  mountSession(app, receiptsEndpoint, async (...call) =>
    (await import('../domain/purchase/list-receipts.ts')).listReceipts(...call),
  )
  mountSession(app, receiptEndpoint, async (...call) =>
    (await import('../domain/purchase/purchase-history.ts')).getReceipt(...call),
  )
  mountSession(app, refundQuoteEndpoint, async (...call) =>
    (await import('../domain/purchase/ask-refund.ts')).refundQuote(...call),
  )
  mountSession(app, askRefundEndpoint, async (...call) =>
    (await import('../domain/purchase/ask-refund.ts')).askRefund(...call),
  )
  mountSession(app, mailRefundLinkEndpoint, async (...call) =>
    (await import('../domain/purchase/ask-refund.ts')).mailRefundLink(...call),
  )
}
