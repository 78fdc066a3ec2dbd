import { eq, sql } from 'drizzle-orm'
import { describeSale, MAIN_PLAN, TOKEN_PACK } from '../../src/contract/catalogue.ts'
import { grants, payments, purchases } from '../../edge-api/db/schema/purchases.ts'
import { ledger } from '../../edge-api/db/schema/tokens.ts'
import type { Context } from '../../edge-api/domain/context.ts'
import { providerId, purchaseRow } from './fixture/purchase.ts'

/** What an account has bought. */
export interface Entitlement {
  /** Pro, paid just now. */
  hasPlan?: boolean
  /** The number of tokens; the plan's own when left out. */
  tokens?: number
  /** When it was paid, milliseconds UTC; just now when left out. */
  paidAt?: number
}

interface Buyer {
  id: string
  username: string
  email: string
}

/** The rows of one paid purchase, as `settle` leaves them; none for an account that bought nothing. */
export function grantStatements(ctx: Context, buyer: Buyer, entitlement: Entitlement) {
  const { hasPlan = false, paidAt = ctx.now } = entitlement
  const tokens = entitlement.tokens ?? (hasPlan ? MAIN_PLAN.tokens : 0)
  if (tokens === 0) return []
  const item = hasPlan ? MAIN_PLAN : TOKEN_PACK
  const paymentId = providerId('pay')
  const { db } = ctx
  const money = { amountMinor: item.priceMinor.USD, currency: 'USD' } as const
  const { sku, kind, accessDays } = item
  const razorpayOrderId = providerId('order')
  const bought = { sku, kind, accessDays, tokens, razorpayOrderId, ...money }
  const purchase = purchaseRow({ ...ctx, now: paidAt }, buyer.id, bought)
  const purchaseId = purchase.id
  const grant = { purchaseId, userId: buyer.id, tokens, paymentMode: 'emulator' } as const
  return [
    db.insert(purchases).values(purchase),
    db.insert(payments).values({
      id: paymentId,
      purchaseId,
      razorpayOrderId,
      ...money,
      status: 'captured',
      method: 'card',
      createdAt: paidAt,
      updatedAt: paidAt,
    }),
    db.insert(grants).values({ ...grant, paymentId, grantedAt: paidAt }),
    db.update(purchases).set({ status: 'paid', paidAt }).where(eq(purchases.id, purchaseId)),
    db
      .insert(ledger)
      .values({ ...grant, ref: `grant:${purchaseId}`, kind: 'grant', createdAt: paidAt }),
    db.run(sql`
      INSERT INTO receipts (purchase_id, number, buyer_name, buyer_email, seller_name, seller_email,
        line, issued_at)
      SELECT ${purchaseId}, coalesce(max(number), 0) + 1, ${buyer.username}, ${buyer.email},
        'The seller', 'seller@example.test', ${describeSale(item)}, ${paidAt}
      FROM receipts WHERE series = ''`),
  ]
}

/** Grants an account what it holds, as a purchase does. */
export async function grant(ctx: Context, userId: string, entitlement: Entitlement): Promise<void> {
  const buyer = { id: userId, username: 'ada', email: 'ada@example.test' }
  await ctx.db.batch({ grant: grantStatements(ctx, buyer, entitlement) })
}
