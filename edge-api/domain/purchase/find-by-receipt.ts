import type { Context } from '../context.ts'
import type { Facts } from '../ports/payments.ts'
import { type Purchase, purchasesOfFacts } from './find-purchase.ts'
import { unlessRefused } from './with-provider.ts'

interface Found {
  facts: Facts
  purchases: Purchase[]
}

/**
 * The purchases that the facts are about. If there is none, Razorpay is asked for the paid orders: an order whose
 * creation was never confirmed here carries the id of its purchase as its receipt. Returns the facts together with these.
 */
export async function findByReceipt(ctx: Context, facts: Facts): Promise<Found> {
  const [known] = await ctx.db.batch([purchasesOfFacts(ctx, facts)])
  if (known.length > 0) return { facts, purchases: known }
  const paid = facts.payments.filter(({ status }) => status === 'captured')
  const orders = [...facts.orders]
  for (const razorpayOrderId of new Set(paid.map((payment) => payment.razorpayOrderId))) {
    const purchaseId = await unlessRefused(ctx.payments.fetchReceipt(razorpayOrderId))
    if (purchaseId !== null) orders.push({ razorpayOrderId, purchaseId })
  }
  const asked: Facts = { ...facts, orders }
  const [purchases] = await ctx.db.batch([purchasesOfFacts(ctx, asked)])
  return { facts: asked, purchases }
}
