import { and, eq, inArray, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { payments, purchases } from '../../db/schema/purchases.ts'
import type { Context } from '../context.ts'
import { minutes } from '../time.ts'
import { type Facts, factsOf, GatewayRefused, GatewayUnavailable } from '../ports/payments.ts'
import { fetchFacts, fetchRefunds } from './fetch-facts.ts'
import type { Purchase } from './find-purchase.ts'
import { recordCause } from './record-cause.ts'
import { settle } from './settle.ts'

/** The purchase of a payment that is known to be captured: then Razorpay need not be asked. */
export function capturedPayment({ db }: Context, paymentId: string) {
  return db
    .select({ purchaseId: payments.purchaseId })
    .from(payments)
    .where(and(eq(payments.id, paymentId), eq(payments.status, 'captured')))
}

/**
 * Asks Razorpay about a payment that a valid signature proves, and settles. The signature is only a reason to ask: it
 * names no amount. While Razorpay is unavailable the status stays as it is, and the reconcile job checks it soon.
 */
export function confirmPayment(
  ctx: Context,
  purchase: Purchase,
  { paymentId, linkId = null }: { paymentId: string; linkId?: string | null },
): Promise<Purchase['status']> {
  const learn = async () => {
    const fact = await ctx.payments.fetchPayment(paymentId)
    const { razorpayOrderId } = fact
    return factsOf({
      payments: [fact],
      linkOrders: linkId === null ? [] : [{ linkId, razorpayOrderId }],
      refundsAndDisputes: await fetchRefunds(ctx, [fact]),
    })
  }
  const isThisPurchase = eq(purchases.id, purchase.id)
  const proof = ctx.db.update(purchases).set({ provenAt: ctx.now }).where(isThisPurchase)
  return settleWith(ctx, purchase, learn, [proof])
}

/** Asks Razorpay about everything on a purchase and settles. */
export function confirmPurchase(ctx: Context, purchase: Purchase): Promise<Purchase['status']> {
  return settleWith(ctx, purchase, () => fetchFacts(ctx, purchase))
}

async function settleWith(
  ctx: Context,
  purchase: Purchase,
  learn: () => Promise<Facts>,
  also: readonly BatchItem<'sqlite'>[] = [],
): Promise<Purchase['status']> {
  const { id: purchaseId } = purchase
  const cause = recordCause(ctx, purchaseId, 'checkout')
  try {
    return (await settle(ctx, purchase, await learn(), [cause, ...also])).status
  } catch (error) {
    if (error instanceof GatewayRefused) {
      ctx.log.alert('the payment provider refused', { purchaseId, reason: error.reason })
    } else if (!(error instanceof GatewayUnavailable)) throw error
    await ctx.db.batch({ checkSoon: checkSoon(ctx, purchaseId), also })
    return purchase.status
  }
}

/** Lets the reconcile job check within a minute or two, unless nothing is left to learn. */
function checkSoon({ db, now }: Context, purchaseId: string) {
  const soon = now + minutes(1)
  return db
    .update(purchases)
    .set({ nextCheckAt: sql`min(coalesce(${purchases.nextCheckAt}, ${soon}), ${soon})` })
    .where(
      and(
        eq(purchases.id, purchaseId),
        inArray(purchases.status, ['creating', 'open', 'attempted', 'authorized', 'expired']),
      ),
    )
}
