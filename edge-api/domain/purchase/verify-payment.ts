import { and, eq, notInArray, sql } from 'drizzle-orm'
import { PURCHASE, SERVER, TOAST } from '../../../src/contract/messages.ts'
import type {
  activateOrderPublicEndpoint,
  activateSubscriptionEndpoint,
  activateTokenPurchaseEndpoint,
  LinkProof,
  CheckoutProof,
  verifyPaymentEndpoint,
} from '../../../src/contract/purchase.ts'
import { purchases } from '../../db/schema/purchases.ts'
import { accountQuery, requireSignedIn } from '../session/account-query.ts'
import type { Context, Claims } from '../context.ts'
import type { PublicHandler, SessionHandler } from '../handler.ts'
import { type Facts, factsOf, GatewayRejected, GatewayUnavailable } from '../ports/payments.ts'
import { ApiError } from '../api-error.ts'
import { minutes } from '../time.ts'
import { fetchFacts, fetchRefunds } from './ask-razorpay.ts'
import type { State } from './core/state.ts'
import {
  CAPTURED,
  idOfLink,
  idOfOrder,
  newestIds,
  type Purchase,
  purchaseNotFound,
  settlementAnswer,
  settlementOf,
} from './purchase.ts'
import { type Loaded, stateStatements, statesOf } from './load.ts'
import { settle } from './settle.ts'

/** Confirms what the checkout widget returned. Another user's order is NOT_FOUND; repeating changes nothing. */
export const verifyPayment: SessionHandler<typeof verifyPaymentEndpoint> = async (ctx, call) => {
  return settlementAnswer(await confirmCheckout(ctx, call.claims, call.body))
}

/** As `verifyPayment`, with the message for a token pack. */
export const activateTokenPurchase: SessionHandler<typeof activateTokenPurchaseEndpoint> = async (
  ctx,
  call,
) => {
  const verified = await confirmCheckout(ctx, call.claims, call.body)
  const isPack = verified.sku === 'token_pack'
  return settlementAnswer(verified, isPack ? PURCHASE.tokensPurchased : undefined)
}

async function confirmCheckout(
  ctx: Context,
  claims: Claims,
  proof: CheckoutProof,
): Promise<Purchase> {
  const { accounts, ...rows } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    ...stateStatements(ctx, idOfOrder(ctx, proof.orderId)),
  })
  requireSignedIn(accounts)
  const loaded = statesOf(rows).find(({ state }) => state.purchase.userId === claims.userId)
  if (loaded === undefined) throw purchaseNotFound()
  if (!(await isSigned(ctx, proof))) throw new ApiError('SIGNATURE_INVALID', SERVER.signature)
  return (await askAboutPayment(ctx, loaded, proof)).purchase
}

/**
 * Confirms a payment for any visitor of the success page, signed in or not. Unknown orders, forged signatures and
 * missing money all get the same neutral answer. Nobody is signed in.
 */
export const activateOrderPublic: PublicHandler<typeof activateOrderPublicEndpoint> = async (
  ctx,
  { body },
) => {
  const state = await confirmPublicly(ctx, body)
  if (state?.purchase.status === 'paid')
    return { success: true, message: TOAST.paymentVerified, status: 'paid' }
  if (state !== null && isSentBack(state, body.paymentId))
    return { success: true, message: PURCHASE.refunded, status: 'refunded' }
  return { success: true, message: PURCHASE.confirming, status: 'pending' }
}

/**
 * Confirms a payment for anybody who has Razorpay's signature of it: tokens go to the user of the purchase. The state after
 * asking Razorpay; null when the signature proves nothing.
 */
export async function confirmPublicly(ctx: Context, proof: PaymentProof): Promise<State | null> {
  const id =
    'orderId' in proof
      ? idOfOrder(ctx, proof.orderId)
      : idOfLink(ctx, proof.paymentLinkId, proof.referenceId)
  const [loaded] = statesOf(await ctx.db.batch(stateStatements(ctx, id)))
  const isGenuine = await isSigned(ctx, proof)
  return loaded === undefined || !isGenuine ? null : askAboutPayment(ctx, loaded, proof)
}

/** What a browser brings back from Razorpay: ids, and Razorpay's signature of them. */
export type PaymentProof = CheckoutProof | LinkProof

/** Whether Razorpay signed these ids. */
export function isSigned({ payments }: Context, proof: PaymentProof): Promise<boolean> {
  return 'orderId' in proof ? payments.isCheckoutSignature(proof) : payments.isLinkSignature(proof)
}

/** Whether a payment was sent back, or a job is about to send it: its payer is promised no tokens. */
function isSentBack({ purchase, payments, pendingRefunds }: State, paymentId: string): boolean {
  const payment = payments.find(({ id }) => id === paymentId)
  const isReturned = payment !== undefined && payment.refundedMinor >= payment.amountMinor
  const isDue = pendingRefunds.some((one) => one.paymentId === paymentId && one.dueAt !== null)
  return purchase.status === 'refunded' || isReturned || isDue
}

/**
 * Asks Razorpay about a payment that a valid signature proves, unless it is known to be captured. The signature is only a reason to
 * ask: it names no amount.
 */
async function askAboutPayment(
  ctx: Context,
  loaded: Loaded,
  { paymentId, paymentLinkId: linkId }: { paymentId: string; paymentLinkId?: string },
): Promise<State> {
  const { state } = loaded
  if (state.payments.some(({ id, status }) => id === paymentId && status === 'captured'))
    return state
  const ask = async () => {
    const fact = await ctx.payments.fetchPayment(paymentId)
    const { razorpayOrderId } = fact
    return factsOf({
      payments: [fact],
      linkOrders: linkId === undefined ? [] : [{ linkId, razorpayOrderId }],
      refunds: await fetchRefunds(ctx, [fact]),
    })
  }
  return askAndSettle(ctx, loaded, ask, paymentId)
}

/** Asks Razorpay and settles its answer. Without an answer the status stays, and the reconcile job soon asks again. */
async function askAndSettle(
  ctx: Context,
  loaded: Loaded,
  ask: () => Promise<Facts>,
  verifiedPayment?: string,
): Promise<State> {
  const { state } = loaded
  const { id: purchaseId } = state.purchase
  try {
    const options = { cause: 'checkout', verifiedPayment, loaded }
    return await settle(ctx, state.purchase, await ask(), options)
  } catch (error) {
    if (error instanceof GatewayRejected) {
      ctx.log.alert('the payment provider refused', { purchaseId, reason: error.reason })
    } else if (!(error instanceof GatewayUnavailable)) throw error
    const also = [checkSoon(ctx, state.purchase)]
    return settle(ctx, state.purchase, factsOf({}), { verifiedPayment, loaded, also })
  }
}

/** Lets the reconcile job, which runs every minute, ask in a minute, or sooner if it would have; not once money was captured. */
function checkSoon({ db, now }: Context, { id }: Purchase) {
  const soon = now + minutes(1)
  return db
    .update(purchases)
    .set({ nextCheckAt: sql`min(coalesce(${purchases.nextCheckAt}, ${soon}), ${soon})` })
    .where(and(eq(purchases.id, id), notInArray(purchases.status, CAPTURED)))
}

/**
 * Asks Razorpay about the caller's latest purchases: about each at most every two seconds, and about twelve a minute. Returns
 * 'paid' when one became paid, else the status of the newest.
 */
export const activateSubscription: SessionHandler<typeof activateSubscriptionEndpoint> = async (
  ctx,
  { claims },
) => {
  const { accounts, ...rows } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    ...stateStatements(ctx, newestIds(ctx, claims.userId)),
  })
  requireSignedIn(accounts)
  const found = statesOf(rows)
  const [newest] = found.map(({ state }) => state.purchase).toSorted(byNewest)
  if (newest === undefined) throw purchaseNotFound()
  const open = found.filter(({ state }) =>
    ['pending', 'failed'].includes(settlementOf(state.purchase)),
  )
  const wanted = open.filter(({ state: { purchase } }) =>
    ctx.providerAsks.admits(purchase, ctx.now),
  )
  const askAbout = async (loaded: Loaded) => {
    const state = await askAndSettle(ctx, loaded, () => fetchFacts(ctx, loaded.state.purchase))
    return state.purchase
  }
  const ask = () => Promise.all(wanted.map(askAbout))
  const { provider } = ctx.queues
  const checked =
    wanted.length === 0 ? [] : await provider.run(ctx.visitor.ipPrefix, ask, claims.userId)
  const shown =
    checked.toSorted(byNewest).find(({ status }) => status === 'paid') ??
    checked.find(({ id }) => id === newest.id)
  return settlementAnswer(shown ?? newest)
}

const byNewest = (one: Purchase, other: Purchase) =>
  other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1)
