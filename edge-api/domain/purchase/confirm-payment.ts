import { and, eq, inArray, sql } from 'drizzle-orm'
import type { LinkReturn, Triple } from '../../../src/contract/purchase.ts'
import { purchases } from '../../db/schema/purchases.ts'
import type { Context } from '../context.ts'
import { type Facts, factsOf, GatewayRefused, GatewayUnavailable } from '../ports/payments.ts'
import { minutes } from '../time.ts'
import { fetchFacts, fetchRefunds } from './ask-razorpay.ts'
import { decide, type State } from './core.ts'
import { idOfLink, idOfOrder } from './find-purchase.ts'
import { type Loaded, stateStatements, statesOf } from './load.ts'
import { atOf, settle } from './settle.ts'

/** A browser's proof from Razorpay: ids and the signature over them. */
export type PublicProof = Triple | LinkReturn

/** Whether Razorpay signed these ids. */
export function isSigned({ payments }: Context, proof: PublicProof): Promise<boolean> {
  return 'orderId' in proof ? payments.isCheckoutSignature(proof) : payments.isLinkSignature(proof)
}

/**
 * Confirms a payment for anybody who has Razorpay's signature of it: tokens go to the user of the purchase. The state after
 * asking Razorpay; null when the signature proves nothing.
 */
export async function confirmPublicly(ctx: Context, proof: PublicProof): Promise<State | null> {
  const id =
    'orderId' in proof
      ? idOfOrder(ctx, proof.orderId)
      : idOfLink(ctx, proof.paymentLinkId, proof.referenceId)
  const [loaded] = statesOf(await ctx.db.batch(stateStatements(ctx, id)))
  const isGenuine = await isSigned(ctx, proof)
  return loaded === undefined || !isGenuine ? null : confirmPayment(ctx, loaded, proof)
}

/**
 * Asks Razorpay about a payment that a valid signature proves, unless it is known to be captured, and settles. The signature is
 * only a reason to ask: it names no amount. While Razorpay is unavailable the status stays as it is, and the reconcile job checks
 * it soon.
 */
export async function confirmPayment(
  ctx: Context,
  loaded: Loaded,
  { paymentId, paymentLinkId: linkId }: { paymentId: string; paymentLinkId?: string },
): Promise<State> {
  const { state } = loaded
  if (state.payments.some(({ id, status }) => id === paymentId && status === 'captured'))
    return state
  const learn = async () => {
    const fact = await ctx.payments.fetchPayment(paymentId)
    const { razorpayOrderId } = fact
    return factsOf({
      payments: [fact],
      linkOrders: linkId === undefined ? [] : [{ linkId, razorpayOrderId }],
      refundsAndDisputes: await fetchRefunds(ctx, [fact]),
    })
  }
  return settleWith(ctx, loaded, learn, paymentId)
}

/** Asks Razorpay about everything on a purchase and settles. */
export function confirmPurchase(ctx: Context, loaded: Loaded): Promise<State> {
  return settleWith(ctx, loaded, () => fetchFacts(ctx, loaded.state.purchase))
}

async function settleWith(
  ctx: Context,
  loaded: Loaded,
  learn: () => Promise<Facts>,
  provenPayment?: string,
): Promise<State> {
  const { state } = loaded
  const { id: purchaseId } = state.purchase
  try {
    const options = { cause: 'checkout', provenPayment, loaded }
    return await settle(ctx, state.purchase, await learn(), options)
  } catch (error) {
    if (error instanceof GatewayRefused) {
      ctx.log.alert('the payment provider refused', { purchaseId, reason: error.reason })
    } else if (!(error instanceof GatewayUnavailable)) throw error
    const { provenAt } = decide(state, factsOf({}), { ...atOf(ctx, state), provenPayment }).purchase
    const isThisPurchase = eq(purchases.id, purchaseId)
    const proof = ctx.db.update(purchases).set({ provenAt }).where(isThisPurchase)
    const isNews = provenAt !== state.purchase.provenAt
    await ctx.db.batch({ checkSoon: checkSoon(ctx, purchaseId), proof: isNews ? proof : null })
    return { ...state, purchase: { ...state.purchase, provenAt } }
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
