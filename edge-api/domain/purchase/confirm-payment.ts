import { and, eq, inArray, sql } from 'drizzle-orm'
import { purchases } from '../../db/schema/purchases.ts'
import type { Context } from '../context.ts'
import { minutes } from '../time.ts'
import { type Facts, factsOf, GatewayRefused, GatewayUnavailable } from '../ports/payments.ts'
import { decide } from './core.ts'
import { fetchFacts, fetchRefunds } from './fetch-facts.ts'
import type { Loaded } from './load.ts'
import type { Standing } from './payment-status.ts'
import { atOf, settle } from './settle.ts'

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
): Promise<Standing> {
  const learn = async () => {
    const fact = await ctx.payments.fetchPayment(paymentId)
    const { razorpayOrderId } = fact
    return factsOf({
      payments: [fact],
      linkOrders: linkId === null ? [] : [{ linkId, razorpayOrderId }],
      refundsAndDisputes: await fetchRefunds(ctx, [fact]),
    })
  }
  return settleWith(ctx, loaded, learn, paymentId)
}

/** Asks Razorpay about everything on a purchase and settles. */
export function confirmPurchase(ctx: Context, loaded: Loaded): Promise<Standing> {
  return settleWith(ctx, loaded, () => fetchFacts(ctx, loaded.state.purchase))
}

async function settleWith(
  ctx: Context,
  loaded: Loaded,
  learn: () => Promise<Facts>,
  provenPayment?: string,
): Promise<Standing> {
  const { purchase } = loaded.state
  const { id: purchaseId } = purchase
  try {
    const options = { cause: 'checkout', provenPayment, loaded }
    return (await settle(ctx, purchase, await learn(), options)).state.purchase
  } catch (error) {
    if (error instanceof GatewayRefused) {
      ctx.log.alert('the payment provider refused', { purchaseId, reason: error.reason })
    } else if (!(error instanceof GatewayUnavailable)) throw error
    const { purchase: proven } = decide(loaded.state, factsOf({}), {
      ...atOf(ctx, loaded.state),
      provenPayment,
    })
    const { provenAt } = proven
    const isThisPurchase = eq(purchases.id, purchaseId)
    const proof = ctx.db.update(purchases).set({ provenAt }).where(isThisPurchase)
    const isNews = provenAt !== purchase.provenAt
    await ctx.db.batch({ checkSoon: checkSoon(ctx, purchaseId), proof: isNews ? proof : null })
    return { status: purchase.status, provenAt }
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
