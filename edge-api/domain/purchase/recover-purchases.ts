import { sql } from 'drizzle-orm'
import { insertFrom } from '../../db/insert-from.ts'
import { purchases as storedPurchases } from '../../db/schema/purchases.ts'
import type { Context } from '../context.ts'
import type { Facts, LinkRecord, OrderRecord } from '../ports/payments.ts'
import { type Purchase, purchasesOfFacts } from './find-purchase.ts'
import { readSale } from './sale-notes.ts'

/**
 * Makes purchases again that were paid and that a restored database has lost, from what our key wrote on their orders and
 * links (docs/decisions/0049-a-lost-purchase-is-recreated-from-its-order.md). Makes none for an account that does not
 * exist here.
 *
 * @param facts about which no purchase is known
 * @param orders the orders of their payments
 */
export async function recoverPurchases(
  ctx: Context,
  facts: Facts,
  orders: readonly OrderRecord[],
): Promise<{ facts: Facts; purchases: Purchase[] }> {
  const links: { link: LinkRecord; razorpayOrderId: string }[] = []
  for (const { paymentId, status, razorpayOrderId } of facts.payments) {
    const link = status === 'captured' ? await ctx.payments.linkOfPayment(paymentId) : null
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
