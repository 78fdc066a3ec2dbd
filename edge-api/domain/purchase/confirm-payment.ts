import { and, eq, inArray, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { purchases } from '../../db/schema/purchases.ts'
import type { Context } from '../context.ts'
import { minutes } from '../time.ts'
import { type Facts, factsOf, GatewayRefused, GatewayUnavailable } from '../ports/payments.ts'
import { fetchFacts, fetchRefunds } from './fetch-facts.ts'
import type { Purchase } from './find-purchase.ts'
import type { Loaded } from './load.ts'
import { settle } from './settle.ts'

/** Whether a payment of the purchase is known to be captured: then Razorpay need not be asked. */
export function isCaptured({ state }: Loaded, paymentId: string): boolean {
  return state.payments.some(({ id, status }) => id === paymentId && status === 'captured')
}

/**
 * Asks Razorpay about a payment that a valid signature proves, and settles. The signature is only a reason to ask: it
 * names no amount. While Razorpay is unavailable the status stays as it is, and the reconcile job checks it soon.
 */
export function confirmPayment(
  ctx: Context,
  loaded: Loaded,
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
  const isThisPurchase = eq(purchases.id, loaded.state.purchase.id)
  const proof = ctx.db.update(purchases).set({ provenAt: ctx.now }).where(isThisPurchase)
  return settleWith(ctx, loaded, learn, [proof])
}

/** Asks Razorpay about everything on a purchase and settles. */
export function confirmPurchase(ctx: Context, loaded: Loaded): Promise<Purchase['status']> {
  return settleWith(ctx, loaded, () => fetchFacts(ctx, loaded.state.purchase))
}

async function settleWith(
  ctx: Context,
  loaded: Loaded,
  learn: () => Promise<Facts>,
  also: readonly BatchItem<'sqlite'>[] = [],
): Promise<Purchase['status']> {
  const { purchase } = loaded.state
  const { id: purchaseId } = purchase
  try {
    const facts = await learn()
    return (await settle(ctx, purchase, facts, { cause: 'checkout', also, loaded })).status
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
