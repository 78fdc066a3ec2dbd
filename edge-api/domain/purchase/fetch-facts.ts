import type { Context } from '../context.ts'
import { type Facts, factsOf, type PaymentFact } from '../ports/payments.ts'
import type { Purchase } from './find-purchase.ts'
import { isOver } from './open-purchase.ts'

/**
 * Asks Razorpay for everything about a purchase: its order (found by the purchase's id when Razorpay's answer was
 * lost) and link, their payments, and the refunds of those. Throws GatewayUnavailable or GatewayRefused.
 */
export async function fetchFacts(ctx: Context, purchase: Purchase): Promise<Facts> {
  const { id: purchaseId, amountMinor, currency, channel } = purchase
  const orderId =
    channel === 'link' || purchase.razorpayOrderId !== null
      ? purchase.razorpayOrderId
      : await ctx.payments.findOrder({ purchaseId, amountMinor, currency })
  const linkId = purchase.razorpayLinkId
  const onOrder = orderId === null ? [] : await ctx.payments.paymentsOfOrder(orderId)
  const onLink = linkId === null ? [] : await ctx.payments.linkPayments(linkId)
  const payments = [...onOrder, ...onLink]
  return factsOf({
    orders: orderId === null ? [] : [{ razorpayOrderId: orderId, purchaseId }],
    linkOrders:
      linkId === null ? [] : onLink.map(({ razorpayOrderId }) => ({ linkId, razorpayOrderId })),
    payments,
    // The total of a payment may have forgotten a refund that failed.
    refundsAndDisputes: await fetchRefunds(ctx, payments, isOver(purchase)),
  })
}

/** The refunds of those payments that have any, or of all that were captured. */
export async function fetchRefunds(ctx: Context, payments: readonly PaymentFact[], ofAll = false) {
  const refunded = payments.filter(
    (payment) => payment.amountRefundedMinor > 0 || (ofAll && payment.status === 'captured'),
  )
  const lists = await Promise.all(
    refunded.map(({ paymentId }) => ctx.payments.refundsOfPayment(paymentId)),
  )
  return lists.flat()
}
