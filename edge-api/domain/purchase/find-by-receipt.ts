import type { Context } from '../context.ts'
import { type Facts, GatewayRefused } from '../ports/payments.ts'
import { type Purchase, purchasesOfFacts } from './find-purchase.ts'

/**
 * The purchases that the facts are about. When there is none, Razorpay is asked for the receipts of the orders that were
 * paid: an order whose creation was never confirmed here carries the id of its purchase. The facts come back with it.
 */
export async function findByReceipt(
  ctx: Context,
  facts: Facts,
): Promise<{ facts: Facts; purchases: Purchase[] }> {
  const [known] = await ctx.db.batch([purchasesOfFacts(ctx, facts)])
  if (known.length > 0) return { facts, purchases: known }
  const paid = facts.payments.filter(({ status }) => status === 'captured')
  const asked: Facts = { ...facts, orders: [...facts.orders, ...(await receiptsOf(ctx, paid))] }
  const [purchases] = await ctx.db.batch([purchasesOfFacts(ctx, asked)])
  return { facts: asked, purchases }
}

async function receiptsOf(ctx: Context, payments: Facts['payments']): Promise<Facts['orders']> {
  const orderIds = new Set(payments.map(({ razorpayOrderId }) => razorpayOrderId))
  const orders: Facts['orders'] = []
  for (const razorpayOrderId of orderIds) {
    const purchaseId = await receiptOrNull(ctx, razorpayOrderId)
    if (purchaseId !== null) orders.push({ razorpayOrderId, purchaseId })
  }
  return orders
}

async function receiptOrNull(ctx: Context, razorpayOrderId: string): Promise<string | null> {
  try {
    return await ctx.payments.receiptOf(razorpayOrderId)
  } catch (error) {
    // An order of another account or mode: it is not one of ours.
    if (error instanceof GatewayRefused) return null
    throw error
  }
}
