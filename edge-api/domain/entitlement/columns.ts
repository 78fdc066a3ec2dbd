import { sql } from 'drizzle-orm'
import { purchases } from '../../db/schema/purchases.ts'
import { balances } from '../../db/schema/tokens.ts'

/** What an account may use: its tokens and its latest plan, as columns of a select that joins both. */
export const entitlementColumns = {
  tokensTotal: sql<number>`coalesce(${balances.total}, 0)`,
  tokensUsed: sql<number>`coalesce(${balances.used}, 0)`,
  planId: purchases.id,
  planSku: purchases.sku,
  planPaidAt: purchases.paidAt,
  planAccessDays: sql<number | null>`${purchases.accessDays} + ${purchases.extraDays}`,
  planCancelledAt: purchases.cancelledAt,
  planReversedAt: purchases.reversedAt,
}
