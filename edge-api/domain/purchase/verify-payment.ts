import { PURCHASE, SERVER, TOAST } from '../../../src/contract/messages.ts'
import type {
  activateOrderPublicEndpoint,
  activateSubscriptionEndpoint,
  activateTokenPurchaseEndpoint,
  Triple,
  verifyPaymentEndpoint,
} from '../../../src/contract/purchase.ts'
import { accountQuery, requireAccount } from '../account/account-query.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../refusal.ts'
import type { Claims } from '../account/signed.ts'
import type { PublicHandler, SessionHandler } from '../handler.ts'
import { confirmPayment, confirmPublicly, confirmPurchase, isSigned } from './confirm-payment.ts'
import type { State } from './core.ts'
import { idOfOrder, newestIds, type Purchase, purchaseNotFound } from './find-purchase.ts'
import { stateStatements, statesOf } from './load.ts'
import { settlementAnswer, settlementOf } from './payment-status.ts'

/** Confirms what the checkout widget returned. Another user's order is NOT_FOUND; repeating changes nothing. */
export const verifyPayment: SessionHandler<typeof verifyPaymentEndpoint> = async (ctx, call) => {
  return settlementAnswer(await confirmTriple(ctx, call.claims, call.body))
}

/** As `verifyPayment`, with the message for a token pack. */
export const activateTokenPurchase: SessionHandler<typeof activateTokenPurchaseEndpoint> = async (
  ctx,
  call,
) => {
  const proven = await confirmTriple(ctx, call.claims, call.body)
  const isPack = proven.sku === 'token_pack'
  return settlementAnswer(proven, isPack ? PURCHASE.tokensPurchased : undefined)
}

async function confirmTriple(ctx: Context, claims: Claims, triple: Triple): Promise<Purchase> {
  const { accounts, ...rows } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    ...stateStatements(ctx, idOfOrder(ctx, triple.orderId)),
  })
  requireAccount(accounts)
  const loaded = statesOf(rows).find(({ state }) => state.purchase.userId === claims.userId)
  if (loaded === undefined) throw purchaseNotFound()
  if (!(await isSigned(ctx, triple))) throw new Refusal('SIGNATURE_INVALID', SERVER.signature)
  return (await confirmPayment(ctx, loaded, triple)).purchase
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

/** Whether a payment was sent back, or a job is about to send it: its payer is promised no tokens. */
function isSentBack({ purchase, payments, pendingRefunds }: State, paymentId: string): boolean {
  const payment = payments.find(({ id }) => id === paymentId)
  const isReturned = payment !== undefined && payment.refundedMinor >= payment.amountMinor
  const isDue = pendingRefunds.some((one) => one.paymentId === paymentId && one.dueAt !== null)
  return purchase.status === 'refunded' || isReturned || isDue
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
  requireAccount(accounts)
  const found = statesOf(rows)
  const [newest] = found.map(({ state }) => state.purchase).toSorted(byNewest)
  if (newest === undefined) throw purchaseNotFound()
  const open = found.filter(({ state }) =>
    ['pending', 'failed'].includes(settlementOf(state.purchase)),
  )
  const wanted = open.filter(({ state: { purchase } }) =>
    ctx.providerAsks.admits(purchase, ctx.now),
  )
  const ask = () =>
    Promise.all(wanted.map(async (loaded) => (await confirmPurchase(ctx, loaded)).purchase))
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
