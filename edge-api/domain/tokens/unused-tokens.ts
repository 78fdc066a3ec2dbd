import { sql } from 'drizzle-orm'
import { ledger } from '../../db/schema/tokens.ts'

/**
 * In SQL, how many tokens of grant `g` are unused. The oldest grant is used first, so what the user has left belongs to the
 * newest grants: `g` has what they leave of it. What was taken back of a grant does not count for it. So the unused tokens
 * of all grants and of the trial add up to the balance. What operators gave by hand since has no refund value, as the trial;
 * what they took by hand comes off it first, and then counts as used. It reads the grants that are newer than `g`.
 */
export const unusedTokens = sql<number>`max(0, min(${kept(sql`g`)}, (
  SELECT b.total - b.used FROM balances b
  WHERE b.user_id = g.user_id AND b.payment_mode = g.payment_mode
) - (
  SELECT coalesce(sum(${kept(sql`n`)}), 0) FROM grants n
  WHERE n.user_id = g.user_id AND n.payment_mode = g.payment_mode
    AND (n.granted_at, n.purchase_id) > (g.granted_at, g.purchase_id)
) - max(0, coalesce((
  SELECT sum(l.tokens) FROM ${ledger} l
  WHERE l.user_id = g.user_id AND l.payment_mode = g.payment_mode AND l.created_at > g.granted_at
    AND l.kind <> 'use' AND l.kind IN ('trial', 'adjustment')
), 0))))`

/** What a grant gave, less what was taken back of it. */
function kept(grant: ReturnType<typeof sql>) {
  return sql`(
    SELECT sum(l.tokens) FROM ${ledger} l WHERE l.purchase_id = ${grant}.purchase_id
  )`
}
