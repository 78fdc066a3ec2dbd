import type { Context } from '../context.ts'
import type { Facts, OrderRecord } from '../ports/payments.ts'
import { type Purchase, purchasesOfFacts } from './find-purchase.ts'
import { recoverPurchases } from './recover-purchases.ts'
import { unlessRefused } from './with-provider.ts'

/**
 * The purchases that the facts are about. If there is none, Razorpay is asked for the paid orders: an order whose
 * creation was never confirmed here carries the id of its purchase, and an order that a restored database has lost says
 * what was sold. Returns the facts together with these.
 */
export async function findByReceipt(
  ctx: Context,
  facts: Facts,
): Promise<{ facts: Facts; purchases: Purchase[] }> {
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
  return recoverPurchases(ctx, asked, orders)
}

async function ordersOf(ctx: Context, payments: Facts['payments']): Promise<OrderRecord[]> {
  const orderIds = new Set(payments.map(({ razorpayOrderId }) => razorpayOrderId))
  const orders: OrderRecord[] = []
  for (const razorpayOrderId of orderIds) {
    const order = await unlessRefused(ctx.payments.fetchOrder(razorpayOrderId))
    if (order !== null) orders.push(order)
  }
  return orders
}
