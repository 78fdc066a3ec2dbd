import type { Context } from '../context.ts'
import { type Facts, factsOf, type PaymentFact } from '../ports/payments.ts'
import type { Purchase } from './find-purchase.ts'

/**
 * Asks Razorpay for everything about a purchase: its order (found by the purchase's id when Razorpay's answer was
 * lost) and link, their payments, and the refunds of those. Throws GatewayUnavailable or GatewayRefused.
 */
export async function fetchFacts(ctx: Context, purchase: Purchase): Promise<Facts> {
  const orderId = purchase.razorpayOrderId ?? (await findLostOrder(ctx, purchase))
  const linkId = purchase.razorpayLinkId
  const onOrder = orderId === null ? [] : await ctx.payments.paymentsOfOrder(orderId)
  const onLink = linkId === null ? [] : await ctx.payments.linkPayments(linkId)
  const payments = [...onOrder, ...onLink]
  return factsOf({
    orders: orderId === null ? [] : [{ razorpayOrderId: orderId, purchaseId: purchase.id }],
    linkOrders:
      linkId === null ? [] : onLink.map(({ razorpayOrderId }) => ({ linkId, razorpayOrderId })),
    payments,
    refundsAndDisputes: await fetchRefunds(ctx, payments),
  })
}

/** The refunds of those payments that have any. */
export async function fetchRefunds(ctx: Context, payments: readonly PaymentFact[]) {
  const refunded = payments.filter((payment) => payment.amountRefundedMinor > 0)
  const lists = await Promise.all(
    refunded.map(({ paymentId }) => ctx.payments.refundsOfPayment(paymentId)),
  )
  return lists.flat()
}

function findLostOrder(ctx: Context, purchase: Purchase): Promise<string | null> {
  if (purchase.channel === 'link') return Promise.resolve(null)
  const { id: purchaseId, amountMinor, currency } = purchase
  return ctx.payments.findOrder({ purchaseId, amountMinor, currency })
}
