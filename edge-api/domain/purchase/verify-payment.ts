import { PURCHASE, SERVER } from '../../../src/contract/messages.ts'
import type {
  activateSubscriptionEndpoint,
  activateTokenPurchaseEndpoint,
  Triple,
  verifyPaymentEndpoint,
} from '../../../src/contract/purchase.ts'
import { accountQuery, requireAccount } from '../account/account-query.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../refusal.ts'
import type { Claims } from '../account/signed.ts'
import type { SessionHandler } from '../handler.ts'
import { isSigned } from './activate-order-public.ts'
import { capturedPayment, confirmPayment, confirmPurchase } from './confirm-payment.ts'
import {
  newestPurchases,
  type Purchase,
  purchaseByOrder,
  requirePurchase,
} from './find-purchase.ts'
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
  const { paymentId } = triple
  const { accounts, found, captured } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    found: purchaseByOrder(ctx, triple.orderId),
    captured: capturedPayment(ctx, paymentId),
  })
  requireAccount(accounts)
  const purchase = requirePurchase(found.filter(({ userId }) => userId === claims.userId))
  if (!(await isSigned(ctx, triple))) throw new Refusal('SIGNATURE_INVALID', SERVER.signature)
  const proven = { ...purchase, provenAt: ctx.now }
  if (captured[0]?.purchaseId === purchase.id) return proven
  return { ...proven, status: await confirmPayment(ctx, purchase, { paymentId }) }
}

/** Asks Razorpay about the caller's latest purchases. Returns 'paid' when one became paid, else the status of the newest. */
export const activateSubscription: SessionHandler<typeof activateSubscriptionEndpoint> = async (
  ctx,
  { claims },
) => {
  const { accounts, found } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    found: newestPurchases(ctx, claims.userId),
  })
  requireAccount(accounts)
  const newest = requirePurchase(found)
  const open = found.filter((purchase) => ['pending', 'failed'].includes(settlementOf(purchase)))
  const checked = await Promise.all(
    open.map(async (purchase) => ({ ...purchase, status: await confirmPurchase(ctx, purchase) })),
  )
  const shown =
    checked.find(({ status }) => status === 'paid') ?? checked.find(({ id }) => id === newest.id)
  return settlementAnswer(shown ?? newest)
}
