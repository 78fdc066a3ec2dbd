import { sql } from 'drizzle-orm'
import type { Context } from '../../context.ts'
import { reversalAccount } from './taken-back.ts'

/**
 * Takes what went back since the last time, never more than is left. What is missing is a shortfall
 * for good: tokens bought later are not touched by it.
 */
export function reverseTokens({ db, now }: Context, purchaseId: string) {
  return db.run(sql`
    INSERT INTO ledger (ref, user_id, kind, tokens, purchase_id, payment_mode, created_at)
    SELECT 'reversal:' || a.purchase_id || ':' || a.entries, a.user_id, 'reversal',
      -min(a.due - a.reversed - a.shortfall, a.available), a.purchase_id, a.payment_mode, ${now}
    FROM ${reversalAccount(purchaseId)} a
    WHERE a.due > a.reversed + a.shortfall AND a.available > 0
  `)
}

/** Gives back what was taken for a refund that failed or a dispute that was won. */
export function restoreTokens({ db, now }: Context, purchaseId: string) {
  return db.run(sql`
    INSERT INTO ledger (ref, user_id, kind, tokens, purchase_id, payment_mode, created_at)
    SELECT 'restoration:' || a.purchase_id || ':' || a.entries, a.user_id, 'restoration',
      a.reversed - a.due, a.purchase_id, a.payment_mode, ${now}
    FROM ${reversalAccount(purchaseId)} a
    WHERE a.reversed > a.due
  `)
}

/** After both: what is due and could not be taken. */
export function noteShortfall({ db, now }: Context, purchaseId: string) {
  return db.run(sql`
    INSERT INTO shortfalls (purchase_id, tokens, updated_at)
    SELECT a.purchase_id, a.due - a.reversed, ${now}
    FROM ${reversalAccount(purchaseId)} a
    WHERE a.due - a.reversed <> a.shortfall
    ON CONFLICT (purchase_id) DO UPDATE SET tokens = excluded.tokens, updated_at = excluded.updated_at
  `)
}
