import { and, eq, isNull, not, sql, type SQL } from 'drizzle-orm'
import { type Item, TOKEN_PACK } from '../../../src/contract/catalogue.ts'
import type {
  Checkout,
  createOrderEndpoint,
  createSubscriptionEndpoint,
  createTokenOrderEndpoint,
} from '../../../src/contract/purchase.ts'
import type { Claims, Context } from '../context.ts'
import type { SessionHandler } from '../handler.ts'
import { withProvider } from './ask-razorpay.ts'
import {
  hasCapturedMoney,
  openedStatus,
  type Purchase,
  purchasesWhere,
  requestedPlan,
  requirePurchase,
  saleNotes,
} from './purchase.ts'
import { touchMoney } from './save.ts'
import { INDIA, OUTSIDE_INDIA } from '../../../src/contract/billing.ts'
import type { Currency } from '../../../src/contract/currency.ts'
import { ORDER_DAYS } from '../../../src/contract/limits.ts'
import { PURCHASE, SERVER, PURCHASE_REFUSED } from '../../../src/contract/messages.ts'
import { insertFrom } from '../../db/insert-from.ts'
import { orderKeys, purchases } from '../../db/schema/purchases.ts'
import { type Account, accountQuery, requireAccount } from '../session/account-query.ts'
import { dayOf, rejectToday } from '../account/daily-limit.ts'
import { hasActivePlan, subscriptionOf } from '../entitlement/plan.ts'
import { isOpenSession } from '../session/session.ts'
import { TERMS } from '../account/terms.ts'
import { ApiError } from '../api-error.ts'
import { isTurnedOff, turnedOffQuery } from '../flags/flags.ts'
import { days, minutes } from '../time.ts'
import { nextCheckAfter } from './core.ts'
import { billingOf } from './tax.ts'

/** Orders a plan. */
export const createOrder: SessionHandler<typeof createOrderEndpoint> = async (
  ctx,
  { claims, body, idempotencyKey },
) => {
  const request = { claims, idempotencyKey, ...requestedPlan(body) }
  return { success: true, ...(await placeOrder(ctx, request)) }
}

/** The same purchase as `createOrder`, as the API calls a subscription. Payment is one-time. */
export const createSubscription: SessionHandler<typeof createSubscriptionEndpoint> = async (
  ctx,
  { claims, body, idempotencyKey },
) => {
  const request = { claims, idempotencyKey, ...requestedPlan(body) }
  const { purchaseId: id, ...checkout } = await placeOrder(ctx, request)
  return { success: true, subscription: { id, planName: request.item.name, ...checkout } }
}

/** Orders a token pack, for accounts with an active plan. */
export const createTokenOrder: SessionHandler<typeof createTokenOrderEndpoint> = async (
  ctx,
  { claims, body, idempotencyKey },
) => {
  const request = { claims, idempotencyKey, item: TOKEN_PACK, currency: body.currency }
  return { success: true, ...(await placeOrder(ctx, request)) }
}

/**
 * Opens a purchase with its order at Razorpay, ready for the checkout widget. Takes two round trips, or one when the
 * order exists already. When Razorpay's answer is lost the purchase stays `creating`: asking again finds the same
 * order, and so does the reconcile job.
 */
async function placeOrder(
  ctx: Context,
  request: Omit<PurchaseRequest, 'channel'>,
): Promise<Checkout> {
  const { purchase } = await openPurchase(ctx, { ...request, channel: 'checkout' })
  if (purchase.razorpayOrderId !== null) return toCheckout(ctx, purchase, purchase.razorpayOrderId)
  const { id: purchaseId, amountMinor, currency } = purchase
  const razorpayOrderId = await withProvider(ctx, () =>
    ctx.payments.createOrder({ purchaseId, amountMinor, currency, notes: saleNotes(purchase) }),
  )
  const { rows } = await ctx.db.batch({
    order: ctx.db
      .update(purchases)
      .set({ razorpayOrderId, status: openedStatus, updatedAt: ctx.now })
      .where(and(eq(purchases.id, purchaseId), isNull(purchases.razorpayOrderId))),
    touched: touchMoney(ctx, purchase.userId),
    rows: purchasesWhere(ctx, eq(purchases.id, purchaseId)),
  })
  // Two calls at once may get different orders: the one stored first counts.
  const stored = requirePurchase(rows)
  rejectIfOver(stored)
  return toCheckout(ctx, stored, stored.razorpayOrderId ?? razorpayOrderId)
}

function toCheckout(
  { payments, paymentMode, brand }: Context,
  purchase: Purchase,
  orderId: string,
): Checkout {
  return {
    purchaseId: purchase.id,
    seller: { name: brand.productName, color: brand.colour.ink },
    order: { id: orderId, amount: purchase.amountMinor, currency: purchase.currency },
    upiEnabled: purchase.currency === 'INR',
    razorpayKeyId: payments.keyId,
    checkoutScript: payments.checkoutScript,
    mode: paymentMode,
  }
}

// --- The purchase that is ordered --------------------------------------------------------------------------------------

/** Asking for the same item again within this time finds the open purchase. */
const REUSE_MS = minutes(15)

/** The most unpaid purchases of an account on a day (UTC). The job asks Razorpay about forty a minute, so nobody can fill its time. */
const UNPAID_A_DAY = 20

/** An hour, as the sentence for the buyer says. */
const SALES_RETRY_SECONDS = 3_600

export interface PurchaseRequest {
  claims: Claims
  item: Item
  currency: Currency
  idempotencyKey: string | null
  channel: Purchase['channel']
}

/**
 * Finds or opens the purchase to be paid, in one round trip: the one with this idempotency key, else the user's open
 * purchase of the same item, else a new one at the catalogue's price. One statement decides, so that two tabs at once
 * share a purchase. Rejects with PLAN_ALREADY_ACTIVE, PLAN_REQUIRED or IDEMPOTENCY_KEY_REUSED; where tax is charged also
 * with BILLING_REQUIRED and CURRENCY_REFUSED; and with NOT_CONFIGURED before anything else while payments are not configured.
 * While operators pause the sales it opens and finds nothing: SALES_PAUSED. RATE_LIMITED after twenty unpaid ones in a day.
 */
export async function openPurchase(
  ctx: Context,
  request: PurchaseRequest,
): Promise<{ purchase: Purchase; account: Account }> {
  if (ctx.payments.keyId === '') {
    throw new ApiError('NOT_CONFIGURED', PURCHASE.providerUnavailable, { retryAfterSeconds: 60 })
  }
  const key = request.idempotencyKey ?? ctx.newId('idk')
  const { accounts, paused, rows } = await ctx.db.batch({
    accounts: accountQuery(ctx, request.claims),
    paused: turnedOffQuery(ctx, 'sales'),
    opened: insertUnlessOpen(ctx, request, key),
    key: keepKey(ctx, request, key),
    rows: ctx.db
      .select()
      .from(purchases)
      .where(sql`${purchases.id} = ${purchaseOfKey(request, key)}`),
  })
  const account = requireAccount(accounts)
  if (paused.length > 0) {
    throw new ApiError('SALES_PAUSED', PURCHASE_REFUSED.salesPaused, {
      retryAfterSeconds: SALES_RETRY_SECONDS,
    })
  }
  const [found] = rows
  if (found !== undefined) assertSame(ctx, found, { ...request, billing: account.user.billing })
  assertMayBuy(ctx, account, request)
  if (found === undefined) throw rejectToday(ctx)
  rejectIfOver(found)
  if (found.createdAt + days(ORDER_DAYS) <= ctx.now) {
    throw new ApiError('IDEMPOTENCY_KEY_REUSED', PURCHASE_REFUSED.keyOld)
  }
  return { purchase: found, account }
}

/** Throws when a purchase would be sold again that the key names, or that was paid while its order or link was being made. */
export function rejectIfOver(purchase: Purchase): void {
  if (!hasCapturedMoney(purchase)) return
  if (purchase.kind === 'plan' && purchase.status === 'paid') {
    throw new ApiError('PLAN_ALREADY_ACTIVE', PURCHASE.planActive)
  }
  throw new ApiError('IDEMPOTENCY_KEY_REUSED', PURCHASE_REFUSED.keyOver)
}

function assertSame(
  { paymentMode, brand }: Context,
  purchase: Purchase,
  { item, currency, billing }: PurchaseRequest & Pick<Purchase, 'billing'>,
): void {
  const { sku } = purchase
  // The details of a receipt are those of its order.
  const isMadeOut =
    brand.seller.tax === null || hasCapturedMoney(purchase) || purchase.billing === billing
  const isSameItem = sku === item.sku && purchase.currency === currency
  if (isSameItem && isMadeOut && purchase.paymentMode === paymentMode) return
  throw new ApiError('IDEMPOTENCY_KEY_REUSED', SERVER.keyReused)
}

function assertMayBuy(ctx: Context, account: Account, { item, currency }: PurchaseRequest): void {
  const { kind } = item
  const isActive = subscriptionOf(account, ctx.now).status === 'active'
  if (kind === 'plan' && isActive) throw new ApiError('PLAN_ALREADY_ACTIVE', PURCHASE.planActive)
  if (kind === 'token_pack' && !isActive) throw new ApiError('PLAN_REQUIRED', PURCHASE.planRequired)
  if (ctx.brand.seller.tax === null) return
  const billing = billingOf(account.user)
  if (billing === null) {
    const { country = INDIA } = ctx.visitor
    // Within India, the state is unknown.
    const guess = country === INDIA ? {} : { extra: { place: OUTSIDE_INDIA } }
    throw new ApiError('BILLING_REQUIRED', PURCHASE.billingRequired, guess)
  }
  if (currency === 'INR' && billing.place === OUTSIDE_INDIA) {
    throw new ApiError('CURRENCY_REFUSED', PURCHASE_REFUSED.inrOutsideIndia)
  }
}

function insertUnlessOpen(ctx: Context, request: PurchaseRequest, key: string) {
  const { item, currency, channel } = request
  const purchase = {
    id: ctx.newId('pur'),
    userId: sql`u.id`,
    sku: item.sku,
    kind: item.kind,
    tokens: item.tokens,
    accessDays: item.accessDays,
    amountMinor: item.priceMinor[currency],
    currency,
    paymentMode: ctx.paymentMode,
    channel,
    termsVersion: TERMS.version,
    billing: sql`u.billing`,
    country: ctx.visitor.country ?? null,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    nextCheckAt: nextCheckAfter(ctx.now, ctx.now),
    status: 'creating' as const,
  }
  const source = sql`
    FROM users u
    WHERE ${mayBuy(ctx, request)} AND ${purchaseOfKey(request, key)} IS NULL
      AND NOT EXISTS (
        SELECT 1 FROM ${purchases} WHERE ${purchases.userId} = u.id AND ${isReusable(ctx, request)}
      ) AND (
        SELECT count(*) FROM ${purchases} WHERE ${purchases.userId} = u.id
          AND ${purchases.paidAt} IS NULL AND ${purchases.createdAt} >= ${days(dayOf(ctx.now))}
      ) < ${UNPAID_A_DAY}`
  return ctx.db.run(insertFrom(purchases, purchase, source))
}

/** Stores which purchase the key opened or found. A key keeps the purchase it has. */
function keepKey(ctx: Context, request: PurchaseRequest, key: string) {
  const row = { userId: sql`u.id`, key, purchaseId: sql`${purchases.id}`, createdAt: ctx.now }
  const source = sql`
    FROM users u JOIN ${purchases} ON ${purchases.userId} = u.id
    WHERE ${mayBuy(ctx, request)} AND ${isReusable(ctx, request)}
    ORDER BY ${purchases.createdAt} DESC
    LIMIT 1`
  return ctx.db.run(
    sql`${insertFrom(orderKeys, row, source)} ON CONFLICT (user_id, key) DO NOTHING`,
  )
}

function purchaseOfKey({ claims }: PurchaseRequest, key: string): SQL {
  return sql`(
    SELECT k.purchase_id FROM ${orderKeys} k WHERE k.user_id = ${claims.userId} AND k.key = ${key}
  )`
}

/** Whether user `u` is the caller, whose session is open, and may buy this item: what `assertMayBuy` says, at the moment of writing. */
function mayBuy(ctx: Context, { claims, item, currency }: PurchaseRequest): SQL {
  const isActive = hasActivePlan(ctx, sql`u.id`)
  const planRule = item.kind === 'plan' ? not(isActive) : isActive
  return sql`u.id = ${claims.userId} AND ${isOpenSession({ ...claims, now: ctx.now })}
    AND ${planRule} AND ${placeRule(ctx, currency)} AND NOT ${isTurnedOff('sales')}`
}

/** Whether user `u` said where they are, and may pay in this currency from there. Asked only where tax is charged. */
function placeRule(ctx: Context, currency: Currency): SQL {
  if (ctx.brand.seller.tax === null) return sql`true`
  if (currency === 'INR') return sql`u.billing ->> 'place' <> ${OUTSIDE_INDIA}`
  return sql`u.billing IS NOT NULL`
}

/** Whether a purchase is unpaid, recent, and of the same item at today's price. */
function isReusable(ctx: Context, { item, currency }: PurchaseRequest): SQL {
  return sql`(
    ${purchases.sku} = ${item.sku} AND ${purchases.currency} = ${currency}
    AND ${purchases.amountMinor} = ${item.priceMinor[currency]}
    AND ${purchases.billing} IS (SELECT b.billing FROM users b WHERE b.id = ${purchases.userId})
    AND ${purchases.tokens} = ${item.tokens} AND ${purchases.paymentMode} = ${ctx.paymentMode}
    AND ${purchases.status} IN ('creating', 'open', 'attempted')
    AND ${purchases.createdAt} > ${ctx.now - REUSE_MS}
  )`
}
