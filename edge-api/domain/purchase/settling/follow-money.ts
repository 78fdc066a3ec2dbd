import { eq, sql } from 'drizzle-orm'
import { insertFrom } from '../../../db/insert-from.ts'
import { owedRefunds, purchases } from '../../../db/schema/purchases.ts'
import type { Context } from '../../context.ts'
import { hours, minutes } from '../../time.ts'
import { CLAIM_MS, EXPIRES_AFTER_MS, nextCheckAfter } from '../check-schedule.ts'
import { isLate, lostInDispute, matches, refunded, wentBack } from './expressions.ts'

/** An authorized payment that Razorpay does not capture is checked after this long, then less often. */
const CAPTURE_WAIT_MS = minutes(2)
const CAPTURE_WAIT_MAX_MS = hours(3)
/** A payment that began before its link ended may finish after. */
const LINK_GRACE_MS = hours(1)

interface Owed {
  paymentId: string
  reason: string
  amountMinor: number
  currency: string
}

/**
 * Captured money that backs no grant is owed back. The next run of the job refunds extra money, late money and money of
 * deleted accounts; money that does not match the purchase is refunded by hand (`due_at` stays null). Returns what is owed
 * from now on.
 */
export function oweRefunds({ db, now }: Context, purchaseId: string) {
  const owed = {
    paymentId: sql`m.id`,
    purchaseId: sql`p.id`,
    reason: sql`CASE
      WHEN NOT ${matches} THEN 'mismatch'
      WHEN EXISTS (SELECT 1 FROM users u WHERE u.id = p.user_id AND u.deleted_at IS NOT NULL)
        AND NOT EXISTS (SELECT 1 FROM grants g WHERE g.purchase_id = p.id) THEN 'deleted_account'
      WHEN ${isLate} THEN 'late'
      ELSE 'excess'
    END`,
    amountMinor: sql`m.amount_minor`,
    createdAt: now,
    dueAt: sql`iif(${matches}, ${now}, NULL)`,
  }
  const source = sql`
    FROM payments m JOIN purchases p ON p.id = m.purchase_id
    WHERE p.id = ${purchaseId} AND m.rank = 3
      AND NOT EXISTS (SELECT 1 FROM grants g WHERE g.payment_id = m.id)
      AND NOT EXISTS (SELECT 1 FROM owed_refunds o WHERE o.payment_id = m.id)`
  return db.all<Owed>(sql`
    ${insertFrom(owedRefunds, owed, source)}
    RETURNING payment_id AS paymentId, reason, amount_minor AS amountMinor,
      (SELECT m.currency FROM payments m WHERE m.id = payment_id) AS currency`)
}

/** An owed refund is done when all of it went back, and due again when that refund failed, each time later. */
export function followOwedRefunds({ db, now }: Context, purchaseId: string) {
  return db.run(sql`
    UPDATE owed_refunds SET
      done_at = iif(f.is_back, coalesce(done_at, ${now}), NULL),
      due_at = CASE
        WHEN f.is_back THEN NULL
        WHEN done_at IS NOT NULL AND reason <> 'mismatch'
          THEN ${now} + ${hours(1)} * max(1, attempts * attempts)
        ELSE due_at
      END
    FROM (
      SELECT m.id, o.number, ${wentBack} >= o.amount_minor AS is_back
      FROM payments m JOIN owed_refunds o ON o.payment_id = m.id
      WHERE m.purchase_id = ${purchaseId}
    ) f
    WHERE owed_refunds.payment_id = f.id AND owed_refunds.number = f.number
  `)
}

const ofPurchase = sql`FROM payments m WHERE m.purchase_id = purchases.id`

/** In SQL, the status that a row of `purchases` has by its payments, grants, refunds and disputes. */
export const statusOf = (now: number) => sql`CASE
  WHEN EXISTS (
    SELECT 1 FROM grants g JOIN payments m ON m.id = g.payment_id
    WHERE g.purchase_id = purchases.id AND ${refunded} + ${lostInDispute} >= m.amount_minor
  ) THEN 'refunded'
  WHEN EXISTS (
    SELECT 1 FROM owed_refunds o
    WHERE o.purchase_id = purchases.id AND o.reason = 'asked_for' AND o.done_at IS NOT NULL
  ) THEN 'refunded'
  WHEN EXISTS (SELECT 1 FROM grants g WHERE g.purchase_id = purchases.id) THEN 'paid'
  WHEN EXISTS (SELECT 1 ${ofPurchase} AND m.rank = 3 AND ${refunded} + ${lostInDispute} < m.amount_minor)
    THEN 'review'
  WHEN EXISTS (SELECT 1 ${ofPurchase} AND m.rank = 3) THEN 'refunded'
  WHEN EXISTS (SELECT 1 ${ofPurchase} AND m.rank = 2 AND ${refunded} < m.amount_minor)
    THEN 'authorized'
  WHEN created_at + ${EXPIRES_AFTER_MS} <= ${now} THEN 'expired'
  WHEN EXISTS (SELECT 1 ${ofPurchase})
    AND NOT EXISTS (SELECT 1 ${ofPurchase} AND m.rank = 0) THEN 'attempted'
  WHEN coalesce(razorpay_order_id, razorpay_link_id) IS NOT NULL THEN 'open'
  ELSE 'creating'
END`

/** Writes the status of a purchase, and returns its row. Nothing else writes it. */
export function projectStatus({ db, now }: Context, purchaseId: string) {
  return db
    .update(purchases)
    .set({
      paidAt: sql`(SELECT g.granted_at FROM grants g WHERE g.purchase_id = purchases.id)`,
      updatedAt: now,
      status: statusOf(now),
    })
    .where(eq(purchases.id, purchaseId))
    .returning()
}

/**
 * Sets when the reconcile job asks Razorpay next: never again once nothing is left to learn. A purchase that was paid on
 * its order is checked for as long as its link can be paid too, and once after that. Only that last check ends the checks:
 * a webhook reports one payment and says nothing about another on the link. For the same reason a due check stays due until
 * it is made.
 */
export function scheduleCheck({ db, now }: Context, purchase: { id: string; createdAt: number }) {
  const next = nextCheckAfter(now, purchase.createdAt)
  return db.run(sql`
    UPDATE purchases SET next_check_at = CASE
      WHEN status IN ('paid', 'refunded', 'review') AND link_expires_at IS NULL THEN NULL
      WHEN status IN ('paid', 'refunded', 'review') AND link_expires_at + ${LINK_GRACE_MS} <= ${now}
        THEN iif(next_check_at = ${now + CLAIM_MS}, NULL, next_check_at)
      WHEN status = 'authorized' THEN min(
        coalesce(${next}, ${now + CAPTURE_WAIT_MAX_MS}),
        ${now} + min(
          max(${now} - (SELECT max(m.updated_at) ${ofPurchase} AND m.rank = 2), ${CAPTURE_WAIT_MS}),
          ${CAPTURE_WAIT_MAX_MS}
        )
      )
      WHEN next_check_at <= ${now} THEN next_check_at
      ELSE ${next}
    END
    WHERE id = ${purchase.id}
  `)
}
