import { sql } from 'drizzle-orm'
import type { Context } from '../../context.ts'
import { matches } from './taken-back.ts'

/**
 * The one grant: captured money on the purchase's own order, to the purchase's own owner. Answers a row
 * to the one caller who made it.
 */
export function grantOnce({ db, now }: Context, purchaseId: string) {
  return db.all(sql`
    INSERT INTO grants (purchase_id, payment_id, user_id, tokens, payment_mode, granted_at)
    SELECT p.id, m.id, p.user_id, p.tokens, p.payment_mode, ${now}
    FROM purchases p JOIN payments m ON m.purchase_id = p.id
    WHERE p.id = ${purchaseId} AND m.rank = 3 AND ${matches}
      AND NOT EXISTS (SELECT 1 FROM grants g WHERE g.purchase_id = p.id)
    ORDER BY m.created_at, m.id
    LIMIT 1
    ON CONFLICT DO NOTHING
    RETURNING purchase_id
  `)
}

/** Enters the grant into the ledger, once: its `ref` is the purchase. Nothing when there is no grant. */
export function enterGrant({ db }: Context, purchaseId: string) {
  return db.run(sql`
    INSERT INTO ledger (ref, user_id, kind, tokens, purchase_id, payment_mode, created_at)
    SELECT 'grant:' || g.purchase_id, g.user_id, 'grant', g.tokens, g.purchase_id, g.payment_mode, g.granted_at
    FROM grants g
    WHERE g.purchase_id = ${purchaseId}
    ON CONFLICT (ref) DO NOTHING
  `)
}

/** Numbered in the batch that grants, so under the write lock: no gaps, no duplicates. */
export function issueReceipt({ db }: Context, purchaseId: string) {
  return db.run(sql`
    INSERT INTO receipts (purchase_id, number, buyer_name, buyer_email, issued_at)
    SELECT g.purchase_id, (SELECT coalesce(max(r.number), 0) + 1 FROM receipts r),
      coalesce(nullif(trim(coalesce(u.first_name, '') || ' ' || coalesce(u.last_name, '')), ''), u.username),
      u.email, g.granted_at
    FROM grants g JOIN users u ON u.id = g.user_id
    WHERE g.purchase_id = ${purchaseId}
      AND NOT EXISTS (SELECT 1 FROM receipts r WHERE r.purchase_id = g.purchase_id)
    ON CONFLICT DO NOTHING
  `)
}
