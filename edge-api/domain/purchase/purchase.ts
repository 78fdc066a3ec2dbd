import { and, desc, eq, or, type SQL, sql } from 'drizzle-orm'
import {
  describeSale,
  findItem,
  type Item,
  majorAmount,
  PLANS,
} from '../../../src/contract/catalogue.ts'
import { PURCHASE, TOAST } from '../../../src/contract/messages.ts'
import type {
  OrderInput,
  paymentStatusEndpoint,
  PurchaseView,
  Settlement,
} from '../../../src/contract/purchase.ts'
import { payments, purchases } from '../../db/schema/purchases.ts'
import { ApiError } from '../api-error.ts'
import type { Context } from '../context.ts'
import type { SessionHandler } from '../handler.ts'
import type { Facts } from '../ports/payments.ts'
import { accountQuery, requireSignedIn } from '../session/account-query.ts'
import { toIso, toIsoOrNull } from '../time.ts'

/** A purchase as it is stored. */
export type Purchase = typeof purchases.$inferSelect

// --- How purchases are found -------------------------------------------------------------------------------------------

const NEWEST_MAX = 5

/** Purchases of another payment mode do not exist here. */
export const ofThisMode = ({ paymentMode }: Pick<Context, 'paymentMode'>) =>
  eq(purchases.paymentMode, paymentMode)

/** The purchases of this payment mode that meet a condition. */
export function purchasesWhere(ctx: Context, condition: SQL | undefined) {
  return ctx.db
    .select()
    .from(purchases)
    .where(and(condition, ofThisMode(ctx)))
}

/** In SQL, a subquery of the ids of those purchases, for `stateStatements`. */
export function idsWhere(ctx: Context, condition: SQL | undefined): SQL {
  return sql`(SELECT ${purchases.id} FROM ${purchases} WHERE ${and(condition, ofThisMode(ctx))})`
}

/** In SQL, the id of the purchase that a checkout order belongs to, of any user. */
export function idOfOrder(ctx: Context, razorpayOrderId: string): SQL {
  return idsWhere(ctx, eq(purchases.razorpayOrderId, razorpayOrderId))
}

/** In SQL, the id of the purchase that a payment link belongs to, of any user; none when link and purchase do not match. */
export function idOfLink(ctx: Context, linkId: string, purchaseId: string): SQL {
  return idsWhere(ctx, and(eq(purchases.razorpayLinkId, linkId), eq(purchases.id, purchaseId)))
}

/** In SQL, the ids of the user's latest purchases; as many as one request may ask Razorpay about. */
export function newestIds(ctx: Context, userId: string): SQL {
  return sql`(
    SELECT ${purchases.id} FROM ${purchases} WHERE ${and(eq(purchases.userId, userId), ofThisMode(ctx))}
    ORDER BY ${desc(purchases.createdAt)}, ${desc(purchases.id)} LIMIT ${NEWEST_MAX}
  )`
}

/** A user's purchase by any id they may know: its own, its order's or a payment's. */
export function purchaseOfUser(ctx: Context, userId: string, anyId: string) {
  const byPayment = sql`${purchases.id} IN (
    SELECT ${payments.purchaseId} FROM ${payments} WHERE ${payments.id} = ${anyId}
  )`
  const named = or(eq(purchases.id, anyId), eq(purchases.razorpayOrderId, anyId), byPayment)
  // The plus keeps SQLite from reading all purchases of the user instead of looking up the ids.
  return purchasesWhere(ctx, and(sql`+${purchases.userId} = ${userId}`, named))
}

/** In SQL, whether the facts are about a purchase; usually about one. */
export function isOfFacts(facts: Facts): SQL | undefined {
  const orderIds = inList([...facts.payments, ...facts.orders].map((fact) => fact.razorpayOrderId))
  const paymentIds = inList(
    [...facts.payments, ...facts.refunds, ...facts.disputes].map((fact) => fact.paymentId),
  )
  const linkIds = inList(facts.linkOrders.map((fact) => fact.linkId))
  const ids = inList(facts.orders.map((fact) => fact.purchaseId))
  return or(
    sql`${purchases.razorpayOrderId} IN ${orderIds}`,
    sql`${purchases.razorpayLinkOrderId} IN ${orderIds}`,
    sql`${purchases.razorpayLinkId} IN ${linkIds}`,
    sql`${purchases.id} IN ${ids}`,
    sql`${purchases.id} IN (
      SELECT m.purchase_id FROM payments m WHERE m.id IN ${paymentIds}
    )`,
  )
}

function inList(values: string[]) {
  return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`
}

/** The statuses of purchases for which money was captured. */
export const CAPTURED: Purchase['status'][] = ['paid', 'review', 'refunded']

/** Whether money was captured for a purchase: then its buyer must not be charged for it again. */
export function hasCapturedMoney({ status }: Purchase): boolean {
  return CAPTURED.includes(status)
}

/** The first row, or NOT_FOUND. */
export function requirePurchase(rows: readonly Purchase[]): Purchase {
  const [purchase] = rows
  if (purchase === undefined) throw purchaseNotFound()
  return purchase
}

/** The rejection of a purchase that does not exist, or belongs to somebody else. */
export const purchaseNotFound = () => new ApiError('NOT_FOUND', PURCHASE.notFound)

// --- Who returned its money --------------------------------------------------------------------------------------------

/**
 * In SQL, what was refunded of a purchase, in minor units: of the payment that brought tokens; where none did, of all that was paid.
 *
 * @param id in SQL, the id of the purchase
 */
export const refundedMinorOf = (id: SQL): SQL<number> => sql<number>`coalesce(
  (SELECT m.refunded_minor FROM grants g JOIN payments m ON m.id = g.payment_id WHERE g.purchase_id = ${id}),
  (SELECT sum(m.refunded_minor) FROM payments m WHERE m.purchase_id = ${id}), 0)`

/** Whether the money of a purchase went back in lost disputes alone, so that nothing was refunded (`refundedMinorOf`). */
export function isReturnedByBank({ status }: Pick<Purchase, 'status'>, refundedMinor: number) {
  return status === 'refunded' && refundedMinor === 0
}

/** The same in SQL, of a purchase `p`. */
export const RETURNED_BY_BANK = sql`(p.status = 'refunded' AND ${refundedMinorOf(sql`p.id`)} = 0)`

// --- What was sold -----------------------------------------------------------------------------------------------------

/** The catalogue's entry; price and tokens are the purchase's own. Throws without one: items that were sold stay there. */
export function itemOf({ sku }: Pick<Purchase, 'sku'>): Item {
  const item = findItem(sku)
  if (item === undefined) throw new Error(`"${sku}" was sold and is not in the catalogue.`)
  return item
}

type Sold = Pick<Purchase, 'sku' | 'tokens' | 'accessDays'>

/** The sold item, whatever the catalogue says now: "Pro, 365 days, 1,000,000 tokens". */
export function describeSold({ sku, tokens, accessDays }: Sold): string {
  return describeSale({ ...itemOf({ sku }), tokens, accessDays })
}

/** The line of a receipt: the product's name, then the sold item. */
export function receiptLine({ brand }: Pick<Context, 'brand'>, sold: Sold): string {
  return `${brand.productName} ${describeSold(sold)}`
}

/** The sale as notes on its order or link: item and buyer, for whoever looks it up in Razorpay's dashboard. */
export function saleNotes({
  id,
  userId,
  sku,
  tokens,
  accessDays,
}: Sold & Pick<Purchase, 'id' | 'userId'>) {
  return {
    purchase: id,
    account: userId,
    item: sku,
    tokens: String(tokens),
    days: String(accessDays),
  }
}

/** The plan by its type. INVALID_PLAN_TYPE, or AMOUNT_MISMATCH when the caller saw another price. */
export function requestedPlan({ planType, amount, preferredCurrency: currency }: OrderInput) {
  const plan = PLANS.find(({ sku }) => sku === planType)
  if (plan === undefined) {
    throw new ApiError('INVALID_PLAN_TYPE', PURCHASE.invalidPlanType(planType))
  }
  if (amount !== undefined && amount !== majorAmount(plan.priceMinor[currency])) {
    throw new ApiError('AMOUNT_MISMATCH', PURCHASE.amountDiffers)
  }
  return { item: plan, currency }
}

// --- Its status for the buyer ------------------------------------------------------------------------------------------

/** One of the caller's purchases as it is stored. Razorpay is not asked, and no details of a payment are shown. */
export const paymentStatus: SessionHandler<typeof paymentStatusEndpoint> = async (
  ctx,
  { claims, params },
) => {
  const { accounts, found } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    found: purchaseOfUser(ctx, claims.userId, params.id),
  })
  requireSignedIn(accounts)
  return { success: true, payment: toPurchaseView(requirePurchase(found)) }
}

/** A purchase as its user may see it. */
export function toPurchaseView(purchase: Purchase): PurchaseView {
  return {
    purchaseId: purchase.id,
    orderId: purchase.razorpayOrderId,
    // A signature proves a payment that Razorpay has not reported.
    status:
      purchase.status === 'open' && purchase.verifiedAt !== null ? 'attempted' : purchase.status,
    settlement: settlementOf(purchase),
    item: itemOf(purchase).name,
    sku: purchase.sku,
    amount: purchase.amountMinor,
    currency: purchase.currency,
    tokens: purchase.tokens,
    createdAt: toIso(purchase.createdAt),
    paidAt: toIsoOrNull(purchase.paidAt),
  }
}

const SETTLEMENTS = {
  open: 'pending',
  attempted: 'failed',
  authorized: 'pending',
  paid: 'paid',
  review: 'review',
  refunded: 'refunded',
  expired: 'failed',
} as const satisfies Record<Purchase['status'], Settlement>

const MESSAGES: Readonly<Record<Exclude<Settlement, 'paid'>, string>> = {
  pending: PURCHASE.confirming,
  failed: PURCHASE.notPaid,
  review: PURCHASE.needsReview,
  refunded: PURCHASE.refunded,
}

/**
 * What a caller is told that waits for a payment (the table at `PurchaseStatus`). A payment that a signature proves is
 * pending until it arrives, even if an earlier one failed, and however long Razorpay says nothing of it.
 */
export function settlementOf({ status, verifiedAt }: Purchase): Settlement {
  if (SETTLEMENTS[status] === 'failed' && verifiedAt !== null) return 'pending'
  return SETTLEMENTS[status]
}

/** The answer of every call that confirms a payment; its `status` is the settlement. */
export function settlementAnswer(purchase: Purchase, paid: string = TOAST.paymentVerified) {
  const status = settlementOf(purchase)
  return { success: true as const, message: status === 'paid' ? paid : MESSAGES[status], status }
}
