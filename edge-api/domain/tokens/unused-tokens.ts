import { sql } from 'drizzle-orm'
import { ledger } from '../../db/schema/tokens.ts'

/**
 * In SQL, how many tokens of grant `g` are unused. The oldest grant is used first, and what was taken back of a grant does
 * not count for it; so the unused tokens of all grants and of the trial add up to the balance.
 */
export const unusedTokens = sql<number>`max(0, min(${kept(sql`g`)}, ${keptUntil()} - (
  SELECT b.used FROM balances b WHERE b.user_id = g.user_id AND b.payment_mode = g.payment_mode
)))`

/** What a grant gave, less what was taken back of it. */
function kept(grant: ReturnType<typeof sql>) {
  return sql`(
    SELECT coalesce(sum(l.tokens), 0) FROM ${ledger} l WHERE l.purchase_id = ${grant}.purchase_id
  )`
}

/** What grant `g` and all that is older gave, less what was taken back. */
function keptUntil() {
  return sql`(
    SELECT coalesce(sum(${kept(sql`e`)}), 0) FROM grants e
    WHERE e.user_id = g.user_id AND e.payment_mode = g.payment_mode
      AND (e.granted_at, e.purchase_id) <= (g.granted_at, g.purchase_id)
  ) + coalesce((
    SELECT l.tokens FROM ${ledger} l
    WHERE l.ref = 'trial:' || g.user_id AND l.payment_mode = g.payment_mode
      AND l.created_at <= g.granted_at
  ), 0)`
}
