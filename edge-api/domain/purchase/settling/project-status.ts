import { sql } from 'drizzle-orm'
import type { Context } from '../../context.ts'
import { EXPIRES_AFTER_MS, nextLook } from '../check-schedule.ts'
import { hours, minutes } from '../../time.ts'
import { lostInDispute, refunded } from './taken-back.ts'

/** An authorized payment that is not captured by itself is looked at after this long, then less often. */
const CAPTURE_WAIT_MS = minutes(2)
const CAPTURE_WAIT_MAX_MS = hours(3)
/** A payment begun before its link ended may finish after. */
const LINK_GRACE_MS = hours(1)

const ofPurchase = sql`FROM payments m WHERE m.purchase_id = purchases.id`

/** The status is what the payments, grants and refunds come to. Nothing else ever writes it. */
export function projectStatus({ db, now }: Context, purchaseId: string) {
  return db.run(sql`
    UPDATE purchases SET
      paid_at = (SELECT g.granted_at FROM grants g WHERE g.purchase_id = purchases.id),
      updated_at = ${now},
      status = CASE
        WHEN EXISTS (
          SELECT 1 FROM grants g JOIN payments m ON m.id = g.payment_id
          WHERE g.purchase_id = purchases.id AND ${refunded} + ${lostInDispute} >= m.amount_minor
        ) THEN 'refunded'
        WHEN EXISTS (SELECT 1 FROM grants g WHERE g.purchase_id = purchases.id) THEN 'paid'
        WHEN EXISTS (SELECT 1 ${ofPurchase} AND m.rank = 3 AND ${refunded} < m.amount_minor)
          THEN 'review'
        WHEN EXISTS (SELECT 1 ${ofPurchase} AND m.rank = 3) THEN 'refunded'
        WHEN EXISTS (SELECT 1 ${ofPurchase} AND m.rank = 2 AND ${refunded} < m.amount_minor)
          THEN 'authorized'
        WHEN created_at + ${EXPIRES_AFTER_MS} <= ${now} THEN 'expired'
        WHEN EXISTS (SELECT 1 ${ofPurchase}) THEN 'attempted'
        WHEN coalesce(razorpay_order_id, razorpay_link_id) IS NOT NULL THEN 'open'
        ELSE 'creating'
      END
    WHERE id = ${purchaseId}
  `)
}

/**
 * When the reconcile job looks next; never again once nothing is left to learn. A purchase that was
 * paid on its order is looked at for as long as its link can be paid too.
 */
export function scheduleLook({ db, now }: Context, purchase: { id: string; createdAt: number }) {
  const next = nextLook(purchase.createdAt, now)
  return db.run(sql`
    UPDATE purchases SET next_check_at = CASE
      WHEN status IN ('paid', 'refunded', 'review')
        AND coalesce(link_expires_at, 0) + ${LINK_GRACE_MS} <= ${now} THEN NULL
      WHEN status = 'authorized' THEN min(
        coalesce(${next}, ${now + CAPTURE_WAIT_MAX_MS}),
        ${now} + min(
          max(${now} - (SELECT max(m.updated_at) ${ofPurchase} AND m.rank = 2), ${CAPTURE_WAIT_MS}),
          ${CAPTURE_WAIT_MAX_MS}
        )
      )
      ELSE ${next}
    END
    WHERE id = ${purchase.id}
  `)
}
