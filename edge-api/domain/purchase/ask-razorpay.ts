import { and, asc, desc, eq, inArray } from 'drizzle-orm'
import { PURCHASE } from '../../../src/contract/messages.ts'
import { payments, refundsAndDisputes } from '../../db/schema/purchases.ts'
import type { Context } from '../context.ts'
import {
  type Facts,
  factsOf,
  GatewayRejected,
  GatewayUnavailable,
  type PaymentFact,
} from '../ports/payments.ts'
import { ApiError } from '../api-error.ts'
import { statementsAbout, statesOf } from './load.ts'
import { hasCapturedMoney, type Purchase } from './purchase.ts'

/**
 * Asks Razorpay for all about a purchase but its disputes, which no payment lists: the payments of its order and link, and the
 * refunds of those. Throws GatewayUnavailable or GatewayRejected.
 */
export async function fetchFacts(ctx: Context, purchase: Purchase): Promise<Facts> {
  const { razorpayOrderId: orderId, razorpayLinkId: linkId } = purchase
  const onOrder = orderId === null ? [] : await ctx.payments.paymentsOfOrder(orderId)
  const onLink = linkId === null ? [] : await ctx.payments.linkPayments(linkId)
  const payments = [...onOrder, ...onLink]
  return factsOf({
    linkOrders:
      linkId === null ? [] : onLink.map(({ razorpayOrderId }) => ({ linkId, razorpayOrderId })),
    payments,
    // The total of a payment may have forgotten a refund that failed.
    refunds: await fetchRefunds(ctx, payments, hasCapturedMoney(purchase)),
  })
}

/** The most disputes of a purchase that Razorpay is asked about at once. */
const DISPUTES_MAX = 10

/** The statement that reads the ids of a purchase's disputes as far as we know them, first those that are not over. */
export function disputesOf({ db }: Context, purchaseId: string) {
  const { id, paymentId, kind, state, updatedAt } = refundsAndDisputes
  return db
    .select({ id })
    .from(payments)
    .innerJoin(refundsAndDisputes, eq(paymentId, payments.id))
    .where(and(eq(payments.purchaseId, purchaseId), eq(kind, 'dispute')))
    .orderBy(desc(inArray(state, ['inquiry', 'open'])), desc(updatedAt), asc(id))
    .limit(DISPUTES_MAX)
}

/** These disputes as they stand now, without those that Razorpay does not know: the audit tells of them. */
export async function fetchDisputes(
  { payments: gateway }: Context,
  ids: readonly { id: string }[],
) {
  const asked = ids.map(({ id }) => unlessRejected(gateway.fetchDispute(id)))
  return (await Promise.all(asked)).filter((dispute) => dispute !== null)
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

/**
 * The purchases that the facts are about. If there is none, Razorpay is asked for the paid orders: the order behind a link,
 * whose id only reports tell, carries the id of its purchase as its receipt. Returns the facts together with these.
 */
export async function findByReceipt(ctx: Context, facts: Facts) {
  const known = statesOf(await ctx.db.batch(statementsAbout(ctx, facts)))
  if (known.length > 0) return { facts, purchases: known }
  const paid = facts.payments.filter(({ status }) => status === 'captured')
  const orders = [...facts.orders]
  for (const razorpayOrderId of new Set(paid.map((payment) => payment.razorpayOrderId))) {
    const purchaseId = await unlessRejected(ctx.payments.fetchReceipt(razorpayOrderId))
    if (purchaseId !== null) orders.push({ razorpayOrderId, purchaseId })
  }
  const asked = { ...facts, orders }
  return { facts: asked, purchases: statesOf(await ctx.db.batch(statementsAbout(ctx, asked))) }
}

const RETRY_AFTER_SECONDS = 30

/** Runs a call to Razorpay that must succeed. PAYMENT_PROVIDER_UNAVAILABLE, with this message, when it does not. */
export async function withProvider<Result>(
  ctx: Context,
  call: () => Promise<Result>,
  message: string = PURCHASE.providerUnavailable,
): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof GatewayRejected) {
      ctx.log.alert('the payment provider refused', { reason: error.reason, text: error.message })
    } else if (!(error instanceof GatewayUnavailable)) throw error
    throw new ApiError('PAYMENT_PROVIDER_UNAVAILABLE', message, {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }
}

/** What a call to Razorpay finds; null when it rejects, as it does with an id of another account or mode. */
export async function unlessRejected<Found>(call: Promise<Found>): Promise<Found | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof GatewayRejected) return null
    throw error
  }
}

/** Cancels a payment link, so that nobody pays it by mistake. Money that arrives all the same is refunded. */
export async function cancelLink(ctx: Context, linkId: string): Promise<void> {
  try {
    await ctx.payments.cancelLink(linkId)
  } catch (error) {
    // The link was paid or is gone, or Razorpay does not answer.
    if (!(error instanceof GatewayRejected || error instanceof GatewayUnavailable)) throw error
  }
}
