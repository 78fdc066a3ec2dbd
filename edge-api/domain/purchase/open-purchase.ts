import { and, desc, eq, getTableColumns, gte, isNull } from 'drizzle-orm'
import { INDIA, OUTSIDE_INDIA } from '../../../src/contract/billing.ts'
import type { Item } from '../../../src/contract/catalogue.ts'
import type { Currency } from '../../../src/contract/currency.ts'
import { ORDER_DAYS } from '../../../src/contract/limits.ts'
import { PURCHASE, PURCHASE_REFUSED, SERVER } from '../../../src/contract/messages.ts'
import { orderKeys, purchases } from '../../db/schema/purchases.ts'
import { users } from '../../db/schema/users.ts'
import { rejectToday } from '../account/daily-limit.ts'
import { TERMS } from '../account/terms.ts'
import { ApiError } from '../api-error.ts'
import type { Claims, Context } from '../context.ts'
import { subscriptionOf } from '../entitlement/plan.ts'
import { turnedOffQuery } from '../flags/flags.ts'
import { type Account, accountQuery, requireSignedIn } from '../session/account-query.ts'
import { isOpenSession } from '../session/session.ts'
import { dayOf, days, minutes } from '../time.ts'
import { cancelLink } from './ask-razorpay.ts'
import { nextCheckAfter } from './core/next-check.ts'
import { hasCapturedMoney, type Purchase } from './purchase.ts'
import { checkVersion, isConflict, untilSaved } from './save.ts'
import { billingOf } from './tax.ts'

export interface PurchaseRequest {
  claims: Claims
  item: Item
  currency: Currency
  idempotencyKey: string | null
  channel: Purchase['channel']
}

/**
 * Finds or opens the purchase to be paid: the one with this idempotency key, else the user's open purchase of the same item,
 * else a new one at the catalogue's price. `findStored` says who may not buy. NOT_CONFIGURED without keys of Razorpay.
 *
 * Razorpay is asked before a purchase is written. An order whose answer is lost, or that is not written, is known to nobody: nobody
 * pays it. Nothing is written when the buyer's money changed or the session ended since it was read: all begins again, so that two
 * tabs at once share a purchase. DatabaseBusy when that happened each time.
 *
 * @param makePayable asks Razorpay for an order or a link; returns the very same purchase if it has one
 */
export async function openPurchase<Payable extends Purchase>(
  ctx: Context,
  request: PurchaseRequest,
  makePayable: (purchase: Purchase, account: Account) => Promise<Payable>,
): Promise<Payable> {
  if (ctx.payments.keyId === '') {
    throw new ApiError('NOT_CONFIGURED', PURCHASE.providerUnavailable, { retryAfterSeconds: 60 })
  }
  return untilSaved(async () => {
    const read = await readBuyer(ctx, request)
    const account = requireSignedIn(read.accounts)
    const stored = findStored(ctx, request, account, read)
    const purchase = await makePayable(stored ?? newPurchase(ctx, request, account), account)
    const isRepeated = read.ofKey !== undefined
    const key = isRepeated ? [] : keepKey(ctx, request, purchase)
    const currency = isRepeated ? [] : preferCurrency(ctx, request, account)
    if (purchase !== stored) await write(ctx, request, { account, stored, purchase, key, currency })
    else if (key.length + currency.length > 0) await ctx.db.batch({ key, currency })
    return purchase
  }, ASKS)
}

/** How often one call asks Razorpay. After a conflict with another tab the next try finds what that one has stored. */
const ASKS = 5

/** Asking for the same item again within this time finds the open purchase. */
const REUSE_MS = minutes(15)

/** All that `findStored` asks of the database. */
async function readBuyer(ctx: Context, { claims, idempotencyKey: key }: PurchaseRequest) {
  const { userId } = claims
  const isOfKey = and(eq(orderKeys.userId, userId), eq(orderKeys.key, key ?? ''))
  const since = Math.min(startOfDay(ctx.now), ctx.now - REUSE_MS)
  const { accounts, paused, ofKey, recent } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    paused: turnedOffQuery(ctx, 'sales'),
    ofKey: ctx.db
      .select(getTableColumns(purchases))
      .from(orderKeys)
      .innerJoin(purchases, eq(purchases.id, orderKeys.purchaseId))
      .where(isOfKey),
    recent: ctx.db
      .select()
      .from(purchases)
      .where(and(eq(purchases.userId, userId), gte(purchases.createdAt, since)))
      .orderBy(desc(purchases.createdAt)),
  })
  return { accounts, isPaused: paused.length > 0, ofKey: ofKey[0], recent }
}

const startOfDay = (now: number) => days(dayOf(now))

/** An hour, as the sentence for the buyer says. */
const SALES_RETRY_SECONDS = 3_600

/** The most unpaid purchases of an account on a day (UTC). The job asks Razorpay about forty a minute, so nobody can fill its time. */
const UNPAID_A_DAY = 20

type Read = Omit<Awaited<ReturnType<typeof readBuyer>>, 'accounts'>

/**
 * The purchase to be paid, or undefined when a new one may be opened. Rejects with SALES_PAUSED while operators pause the sales;
 * IDEMPOTENCY_KEY_REUSED for a key of another item, or of a purchase that is over; PLAN_ALREADY_ACTIVE or PLAN_REQUIRED;
 * where tax is charged BILLING_REQUIRED or CURRENCY_REFUSED; RATE_LIMITED after twenty unpaid ones in a day.
 */
function findStored(
  ctx: Context,
  request: PurchaseRequest,
  account: Account,
  { isPaused, ofKey, recent }: Read,
): Purchase | undefined {
  if (isPaused) {
    throw new ApiError('SALES_PAUSED', PURCHASE_REFUSED.salesPaused, {
      retryAfterSeconds: SALES_RETRY_SECONDS,
    })
  }
  if (ofKey !== undefined) assertSame(ctx, request, account, ofKey)
  assertMayBuy(ctx, request, account)
  if (ofKey !== undefined) {
    assertNotOver(ctx, ofKey)
    return ofKey
  }
  const reusable = recent.find((purchase) => isReusable(ctx, request, account, purchase))
  const unpaid = recent.filter(
    ({ paidAt, createdAt }) => paidAt === null && createdAt >= startOfDay(ctx.now),
  )
  if (reusable === undefined && unpaid.length >= UNPAID_A_DAY) throw rejectToday(ctx)
  return reusable
}

/** A key names what was asked for with it, and the billing details of a receipt are those of its order. */
function assertSame(
  ctx: Context,
  request: PurchaseRequest,
  { user }: Account,
  ofKey: Purchase,
): void {
  const hasSameBilling =
    ctx.brand.seller.tax === null || hasCapturedMoney(ofKey) || ofKey.billing === user.billing
  if (hasSameBilling && isOfItem(ctx, request, ofKey)) return
  throw new ApiError('IDEMPOTENCY_KEY_REUSED', SERVER.keyReused)
}

function assertMayBuy(ctx: Context, { item, currency }: PurchaseRequest, account: Account): void {
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

/** What was paid is not sold again, and an order is paid within seven days. */
function assertNotOver({ now }: Context, ofKey: Purchase): void {
  if (ofKey.kind === 'plan' && ofKey.status === 'paid') {
    throw new ApiError('PLAN_ALREADY_ACTIVE', PURCHASE.planActive)
  }
  if (hasCapturedMoney(ofKey)) {
    throw new ApiError('IDEMPOTENCY_KEY_REUSED', PURCHASE_REFUSED.keyOver)
  }
  if (ofKey.createdAt + days(ORDER_DAYS) <= now) {
    throw new ApiError('IDEMPOTENCY_KEY_REUSED', PURCHASE_REFUSED.keyOld)
  }
}

/** Whether a purchase is unpaid, recent, and of the same item at today's price, with the same billing details. */
function isReusable(
  ctx: Context,
  request: PurchaseRequest,
  { user }: Account,
  purchase: Purchase,
): boolean {
  const { item, currency } = request
  return (
    isOfItem(ctx, request, purchase) &&
    purchase.amountMinor === item.priceMinor[currency] &&
    purchase.tokens === item.tokens &&
    purchase.billing === user.billing &&
    ['open', 'attempted'].includes(purchase.status) &&
    purchase.createdAt > ctx.now - REUSE_MS
  )
}

function isOfItem(
  { paymentMode }: Context,
  { item, currency }: PurchaseRequest,
  purchase: Purchase,
): boolean {
  return (
    purchase.sku === item.sku &&
    purchase.currency === currency &&
    purchase.paymentMode === paymentMode
  )
}

function newPurchase(
  { newId, now, paymentMode, visitor }: Context,
  { item, currency, channel }: PurchaseRequest,
  { user }: Account,
): Purchase {
  return {
    id: newId('pur'),
    userId: user.id,
    sku: item.sku,
    kind: item.kind,
    tokens: item.tokens,
    accessDays: item.accessDays,
    extraDays: 0,
    amountMinor: item.priceMinor[currency],
    currency,
    paymentMode,
    channel,
    billing: user.billing,
    country: visitor.country ?? null,
    termsVersion: TERMS.version,
    createdAt: now,
    status: 'open',
    razorpayOrderId: null,
    razorpayLinkId: null,
    razorpayLinkOrderId: null,
    linkUrl: null,
    linkExpiresAt: null,
    verifiedAt: null,
    paidAt: null,
    reversedAt: null,
    cancelledAt: null,
    updatedAt: now,
    nextCheckAt: nextCheckAfter(now, now),
    checkCount: 0,
  }
}

/** The statement that stores which purchase a key names, if the call has one. It fails, as a conflict, when another call stored it. */
function keepKey(
  { db, now: createdAt }: Context,
  { idempotencyKey: key }: PurchaseRequest,
  { id: purchaseId, userId }: Purchase,
) {
  return key === null ? [] : [db.insert(orderKeys).values({ userId, key, purchaseId, createdAt })]
}

/** The statement that makes the currency of the order the one in which the buyer sees prices first, unless it is. */
function preferCurrency({ db }: Context, { currency }: PurchaseRequest, { user }: Account) {
  if (user.currency === currency) return []
  return [
    db
      .update(users)
      .set({ currency })
      .where(and(eq(users.id, user.id), isNull(users.deletedAt))),
  ]
}

interface Opened {
  account: Account
  /** The purchase before; undefined when it is new. */
  stored: Purchase | undefined
  /** The purchase with its order or link. */
  purchase: Purchase
  key: ReturnType<typeof keepKey>
  currency: ReturnType<typeof preferCurrency>
}

async function write(
  ctx: Context,
  { claims }: PurchaseRequest,
  { account, stored, purchase, key, currency }: Opened,
): Promise<void> {
  const { db, now } = ctx
  const { id: userId, moneyVersion: version } = account.user
  const { razorpayOrderId, razorpayLinkId, linkUrl, linkExpiresAt } = purchase
  const changes = {
    ...{ razorpayOrderId, razorpayLinkId, linkUrl, linkExpiresAt, updatedAt: now },
    // A key may name a purchase whose last check is past.
    nextCheckAt: purchase.nextCheckAt ?? now + days(1),
  } as const
  try {
    await db.batch({
      version: checkVersion(ctx, { userId, version }, isOpenSession({ ...claims, now })),
      purchase:
        stored === undefined
          ? db.insert(purchases).values(purchase)
          : db.update(purchases).set(changes).where(eq(purchases.id, stored.id)),
      key,
      currency,
    })
  } catch (error) {
    // The link of a purchase that was stored before stays: asking again finds it by the purchase's id.
    const isKnownToNobody = stored === undefined && isConflict(error)
    if (isKnownToNobody && razorpayLinkId !== null)
      ctx.waitUntil(() => cancelLink(ctx, razorpayLinkId))
    throw error
  }
}
