import { and, desc, eq, or, type SQL, sql } from 'drizzle-orm'
import { PURCHASE } from '../../../src/contract/messages.ts'
import { payments, purchases } from '../../db/schema/purchases.ts'
import type { Context } from '../context.ts'
import { ApiError } from '../api-error.ts'
import type { Facts } from '../ports/payments.ts'

/** A purchase as it is stored. */
export type Purchase = typeof purchases.$inferSelect

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

/** In SQL, the status of a purchase whose order or link was just stored: it can be paid now. */
export const openedStatus = sql<
  Purchase['status']
>`iif(${purchases.status} = 'creating', 'open', ${purchases.status})`

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
    [...facts.payments, ...facts.refundsAndDisputes].map((fact) => fact.paymentId),
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

/** Whether money was captured for a purchase: then its buyer must not be charged for it again. */
export function hasCapturedMoney({ status }: Purchase): boolean {
  return ['paid', 'review', 'refunded'].includes(status)
}

/** The first row, or NOT_FOUND. */
export function requirePurchase(rows: readonly Purchase[]): Purchase {
  const [purchase] = rows
  if (purchase === undefined) throw purchaseNotFound()
  return purchase
}

/** The rejection of a purchase that does not exist, or belongs to somebody else. */
export const purchaseNotFound = () => new ApiError('NOT_FOUND', PURCHASE.notFound)
