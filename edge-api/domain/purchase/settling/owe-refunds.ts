import { sql } from 'drizzle-orm'
import type { Context } from '../../context.ts'
import { hours } from '../../time.ts'
import { matches, refunded } from './taken-back.ts'

/**
 * Captured money that backs no grant is owed back, and never silently: extra money by the next run of
 * the job, money that does not match the purchase by hand (`due_at` stays null).
 */
export function oweRefunds({ db, now }: Context, purchaseId: string) {
  return db.run(sql`
    INSERT INTO owed_refunds (payment_id, purchase_id, reason, amount_minor, created_at, due_at)
    SELECT m.id, p.id, iif(${matches}, 'excess', 'mismatch'), m.amount_minor, ${now},
      iif(${matches}, ${now}, NULL)
    FROM payments m JOIN purchases p ON p.id = m.purchase_id
    WHERE p.id = ${purchaseId} AND m.rank = 3
      AND NOT EXISTS (SELECT 1 FROM grants g WHERE g.payment_id = m.id)
      AND NOT EXISTS (SELECT 1 FROM owed_refunds o WHERE o.payment_id = m.id)
    ON CONFLICT (payment_id) DO NOTHING
  `)
}

/** Done when all of it went back; open again when that refund failed. */
export function followOwedRefunds({ db, now }: Context, purchaseId: string) {
  return db.run(sql`
    UPDATE owed_refunds SET
      done_at = iif(f.is_back, coalesce(done_at, ${now}), NULL),
      due_at = CASE
        WHEN f.is_back THEN NULL
        WHEN done_at IS NOT NULL AND reason = 'excess' THEN ${now + hours(1)}
        ELSE due_at
      END
    FROM (SELECT m.id, ${refunded} >= m.amount_minor AS is_back FROM payments m
      WHERE m.purchase_id = ${purchaseId}) f
    WHERE owed_refunds.payment_id = f.id
  `)
}
