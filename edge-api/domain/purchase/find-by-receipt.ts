import { sql } from 'drizzle-orm'
import { insertFrom } from '../../db/insert-from.ts'
import { purchases as storedPurchases } from '../../db/schema/purchases.ts'
import type { Context } from '../context.ts'
import type { Facts, LinkRecord, OrderRecord, PaymentFact } from '../ports/payments.ts'
import { type Purchase, purchasesOfFacts } from './find-purchase.ts'
import { readSale } from './sale-notes.ts'
import { unlessRefused } from './with-provider.ts'

interface Found {
  facts: Facts
  purchases: Purchase[]
}

/**
 * The purchases that the facts are about. If there is none, Razorpay is asked for the paid orders: an order whose
 * creation was never confirmed here carries the id of its purchase, and an order that a restored database has lost says
 * what was sold. Returns the facts together with these.
 */
export async function findByReceipt(ctx: Context, facts: Facts): Promise<Found> {
  const [known] = await ctx.db.batch([purchasesOfFacts(ctx, facts)])
  if (known.length > 0) return { facts, purchases: known }
  const paid = facts.payments.filter(({ status }) => status === 'captured')
  const orders = await ordersOf(ctx, paid)
  const receipts = orders.flatMap(({ razorpayOrderId, purchaseId }) =>
    purchaseId === null ? [] : [{ razorpayOrderId, purchaseId }],
  )
  const asked: Facts = { ...facts, orders: [...facts.orders, ...receipts] }
  const [purchases] = await ctx.db.batch([purchasesOfFacts(ctx, asked)])
  if (purchases.length > 0 || orders.length === 0) return { facts: asked, purchases }
  return recoverPurchases(ctx, { facts: asked, paid, orders })
}

async function ordersOf(ctx: Context, payments: readonly PaymentFact[]): Promise<OrderRecord[]> {
  const orderIds = new Set(payments.map(({ razorpayOrderId }) => razorpayOrderId))
  const orders: OrderRecord[] = []
  for (const razorpayOrderId of orderIds) {
    const order = await unlessRefused(ctx.payments.fetchOrder(razorpayOrderId))
    if (order !== null) orders.push(order)
  }
  return orders
}

interface Lost {
  facts: Facts
  paid: readonly PaymentFact[]
  orders: readonly OrderRecord[]
}

/**
 * Makes purchases again that were paid and that a restored database has lost, from what our key wrote on their orders and
 * links (docs/decisions/0049-a-lost-purchase-is-recreated-from-its-order.md). Makes none for an account that does not
 * exist here.
 */
async function recoverPurchases(ctx: Context, { facts, paid, orders }: Lost): Promise<Found> {
  const links: { link: LinkRecord; razorpayOrderId: string }[] = []
  for (const { paymentId, razorpayOrderId } of paid) {
    const link = await ctx.payments.linkOfPayment(paymentId)
    if (link !== null) links.push({ link, razorpayOrderId })
  }
  const ofLinks = new Set(links.map(({ razorpayOrderId }) => razorpayOrderId))
  const own = orders.filter(({ razorpayOrderId }) => !ofLinks.has(razorpayOrderId))
  const found: Facts = {
    ...facts,
    orders: facts.orders.filter(({ razorpayOrderId }) => !ofLinks.has(razorpayOrderId)),
    linkOrders: [
      ...facts.linkOrders,
      ...links.map(({ link: { linkId }, razorpayOrderId }) => ({ linkId, razorpayOrderId })),
    ],
  }
  const { made, purchases } = await ctx.db.batch({
    made: [...own, ...links.map(({ link }) => link)].flatMap((sale) => insertLost(ctx, sale)),
    purchases: purchasesOfFacts(ctx, found),
  })
  for (const { id } of made.flat())
    ctx.log.warn('a lost purchase was recreated', { purchaseId: id })
  return { facts: found, purchases }
}

/** The statement that inserts a lost purchase; none when the sale is not one of ours. */
function insertLost(ctx: Context, record: OrderRecord | LinkRecord) {
  const sale = readSale(record)
  if (sale === null) return []
  const link = 'linkId' in record ? record : null
  const purchase = {
    id: sale.purchase,
    userId: sql`u.id`,
    sku: sale.item.sku,
    kind: sale.item.kind,
    tokens: sale.tokens,
    accessDays: sale.days,
    amountMinor: record.amountMinor,
    currency: sale.currency,
    paymentMode: ctx.paymentMode,
    channel: link === null ? ('checkout' as const) : ('link' as const),
    billing: sql`u.billing`,
    createdAt: record.createdAt,
    updatedAt: ctx.now,
    nextCheckAt: ctx.now,
    status: 'creating' as const,
    razorpayLinkId: link?.linkId ?? null,
    linkUrl: link?.url ?? null,
    linkExpiresAt: link?.expiresAt ?? null,
  }
  const source = sql`
    FROM users u
    WHERE u.id = ${sale.account}
      AND NOT EXISTS (SELECT 1 FROM ${storedPurchases} WHERE ${storedPurchases.id} = ${sale.purchase})`
  const insert = insertFrom(storedPurchases, purchase, source)
  return [ctx.db.all<{ id: string }>(sql`${insert} RETURNING id`)]
}
