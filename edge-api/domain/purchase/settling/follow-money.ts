import { sql } from 'drizzle-orm'
import { z } from '../../../../src/contract/zod.ts'
import { PurchaseStatus } from '../../../../src/contract/purchase.ts'
import { insertFrom } from '../../../db/insert-from.ts'
import { owedRefunds } from '../../../db/schema/purchases.ts'
import type { Context } from '../../context.ts'
import { hours, minutes } from '../../time.ts'
import { CLAIM_MS, EXPIRES_AFTER_MS, nextCheckAfter } from '../check-schedule.ts'
import { isLate, lostInDispute, matches, refunded, wentBack } from './expressions.ts'

/** An authorized payment that Razorpay does not capture is checked after this long, then less often. */
const CAPTURE_WAIT_MS = minutes(2)
const CAPTURE_WAIT_MAX_MS = hours(3)
/** A payment that began before its link ended may finish after. */
const LINK_GRACE_MS = hours(1)

/**
 * Captured money that backs no grant is owed back. The next run of the job refunds extra money, late money and money of
 * deleted accounts; money that does not match the purchase is refunded by hand (`due_at` stays null).
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
  return db.run(insertFrom(owedRefunds, owed, source))
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

/** Writes the status of a purchase. Nothing else writes it. */
export function projectStatus({ db, now }: Context, purchaseId: string) {
  return db.run(sql`
    UPDATE purchases SET
      paid_at = (SELECT g.granted_at FROM grants g WHERE g.purchase_id = purchases.id),
      updated_at = ${now},
      status = ${statusOf(now)}
    WHERE id = ${purchaseId}
  `)
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

const List = <Entry extends z.ZodType>(entry: Entry) =>
  z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(z.array(entry))

const Money = z.object({ paymentId: z.string(), amountMinor: z.int(), currency: z.string() })

const SettledRow = z.object({
  status: PurchaseStatus,
  linkId: z.string().nullable(),
  hasMail: z.int().transform(Boolean),
  owed: List(Money.extend({ reason: z.string() })),
  failed: List(Money.extend({ refundId: z.string() })),
  conflicts: List(z.string()),
  disputes: List(
    Money.extend({
      disputeId: z.string(),
      phase: z.string().nullable(),
      state: z.string(),
      respondBy: z.int().nullable(),
    }),
  ),
})
export type SettledRow = z.output<typeof SettledRow>

/** The purchase after the batch, with the owed and failed refunds, conflicts and disputes that are new or moved on. */
export function readSettled({ db, now }: Context, purchaseId: string) {
  return db.all(sql`
    SELECT p.status, p.razorpay_link_id AS linkId,
      EXISTS (SELECT 1 FROM mails l WHERE l.user_id = p.user_id AND l.due_at = ${now}) AS hasMail,
      (
        SELECT json_group_array(json_object(
          'paymentId', o.payment_id, 'reason', o.reason, 'amountMinor', o.amount_minor, 'currency', m.currency
        ))
        FROM owed_refunds o JOIN payments m ON m.id = o.payment_id
        WHERE o.purchase_id = p.id AND o.created_at = ${now} AND o.reason NOT IN ('asked_for', 'goodwill')
      ) AS owed,
      (
        SELECT json_group_array(json_object(
          'refundId', t.id, 'paymentId', m.id, 'amountMinor', t.amount_minor, 'currency', t.currency
        ))
        FROM refunds_and_disputes t JOIN payments m ON m.id = t.payment_id
        WHERE m.purchase_id = p.id AND t.kind = 'refund' AND t.state = 'undone' AND t.updated_at = ${now}
      ) AS failed,
      (
        SELECT json_group_array(m.id)
        FROM payments m WHERE m.purchase_id = p.id AND m.conflict_at = ${now}
      ) AS conflicts,
      (
        SELECT json_group_array(json_object(
          'disputeId', t.id, 'paymentId', t.payment_id, 'phase', t.phase, 'state', t.state,
          'amountMinor', t.amount_minor, 'currency', t.currency, 'respondBy', t.respond_by
        ))
        FROM refunds_and_disputes t JOIN payments m ON m.id = t.payment_id
        WHERE m.purchase_id = p.id AND t.kind = 'dispute' AND t.updated_at = ${now}
      ) AS disputes
    FROM purchases p
    WHERE p.id = ${purchaseId}
  `)
}

/** The one row of `readSettled`, parsed. */
export function parseSettled(rows: unknown[]): SettledRow {
  return z.tuple([SettledRow]).parse(rows)[0]
}
