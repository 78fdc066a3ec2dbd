import { type SQL, sql } from 'drizzle-orm'
import { ORDER_DAYS } from '../../../../src/contract/limits.ts'
import { days, minutes } from '../../time.ts'

/*
 * Expressions about one payment, aliased `m`. Amounts are in minor units.
 */

/**
 * Refunded so far. Razorpay's cumulative figure may or may not count a refund that failed, so failed refunds are
 * taken off it; and it is never less than the sum of the refunds we know one by one.
 */
export const refunded = sql`max(
  m.amount_refunded_minor - (
    SELECT coalesce(sum(t.amount_minor), 0) FROM refunds_and_disputes t
    WHERE t.payment_id = m.id AND t.kind = 'refund' AND t.state = 'undone'
  ),
  (
    SELECT coalesce(sum(t.amount_minor), 0) FROM refunds_and_disputes t
    WHERE t.payment_id = m.id AND t.kind = 'refund' AND t.state <> 'undone'
  )
)`

/**
 * The part of the payment's amount that dispute `t` takes. A dispute in Razorpay's own currency is measured by the payment's
 * amount in that currency, and rounded up. In any other currency it takes nothing, and the alert about it asks a person to
 * decide. A division by zero gives NULL, which adds nothing to a sum.
 */
const taken = sql`CASE
  WHEN t.currency = m.currency THEN t.amount_minor
  WHEN t.currency = m.base_currency
    THEN (m.amount_minor * t.amount_minor + m.base_amount_minor - 1) / m.base_amount_minor
  ELSE 0
END`

/**
 * A lost dispute that Razorpay refunded: the same money, reported twice. A refund from before the dispute is other money, and
 * so is a refund that became due after the dispute was lost.
 */
const isRefunded = sql`(
  t.state = 'final' AND EXISTS (
    SELECT 1 FROM refunds_and_disputes r
    WHERE r.payment_id = t.payment_id AND r.kind = 'refund' AND r.state <> 'undone'
      AND r.amount_minor = ${taken} AND r.began_at >= t.began_at
      AND NOT EXISTS (
        SELECT 1 FROM owed_refunds w
        WHERE w.payment_id = r.payment_id AND w.amount_minor = r.amount_minor AND w.lost_before_minor > 0
      )
  )
)`

/** Whether a dispute of a payment is open: until it ends, the bank decides what goes back. */
export const isDisputed = (paymentId: SQL) => sql`EXISTS (
  SELECT 1 FROM refunds_and_disputes t
  WHERE t.payment_id = ${paymentId} AND t.kind = 'dispute' AND t.state = 'open'
)`

const takenByDisputes = sql`
  SELECT coalesce(sum(${taken}), 0) FROM refunds_and_disputes t
  WHERE t.payment_id = m.id AND t.kind = 'dispute'`

/** The part of the payment that disputes keep, from their first day on. */
export const disputed = sql`(
  ${takenByDisputes} AND t.state IN ('open', 'final') AND NOT ${isRefunded}
)`

export const lostInDispute = sql`(${takenByDisputes} AND t.state = 'final' AND NOT ${isRefunded})`

/** Razorpay's clock and ours differ by less. */
const CLOCKS_MS = minutes(1)

/**
 * In SQL, whether refund `t` was there before `debt` was owed: we stored it before, or it began before by Razorpay's clock. If its
 * webhooks were lost, we knew of it only from the payment's total until it failed.
 */
export const beganBefore = (debt: SQL) =>
  sql`(${isKnownBefore(debt)} OR t.began_at + ${CLOCKS_MS} < ${debt}.created_at)`

const isKnownBefore = (debt: SQL) => sql`t.stored_after < ${debt}.number`

/**
 * Of the money returned before refund `f` became due, the part that is still returned: refunds that have since failed and
 * disputes that we have since won do not count. A refund that begins later and then fails must not be taken off it: our own
 * refund would seem missing, and be sent again. Nor may a refund that was unknown to us: refunds that we learned of later
 * are compared with the payment's total as we knew it.
 */
const stillBefore = sql`(
  SELECT min(noted, known + max(rest - learnedUndone, min(rest, learned))) FROM (
    SELECT *, max(0, noted - known - knownUndone) AS rest FROM (
      SELECT f.refunded_before_minor - f.lost_before_minor AS noted,
        coalesce(sum(amount_minor) FILTER (WHERE isKnown AND state <> 'undone'), 0) AS known,
        coalesce(sum(amount_minor) FILTER (WHERE isKnown AND state = 'undone'), 0) AS knownUndone,
        coalesce(sum(amount_minor) FILTER (WHERE NOT isKnown AND state <> 'undone'), 0) AS learned,
        coalesce(sum(amount_minor) FILTER (WHERE NOT isKnown AND state = 'undone'), 0) AS learnedUndone
      FROM (
        SELECT t.*, ${isKnownBefore(sql`f`)} AS isKnown FROM refunds_and_disputes t
        WHERE t.payment_id = f.payment_id AND t.kind = 'refund' AND ${beganBefore(sql`f`)}
          AND (t.state <> 'undone' OR t.undone_after >= f.number)
      )
    )
  )
) + min(f.lost_before_minor, (${takenByDisputes} AND t.state = 'final'))`

/**
 * Refund `o` pays a part of the payment, and this is where that part begins: after the money returned before it, and after
 * the parts of the refunds that were owed before it. Those keep their place when sending them fails: they are still owed.
 */
const wentBackBefore = sql`(
  SELECT max(${stillBefore} + (
    SELECT coalesce(sum(e.amount_minor), 0) FROM owed_refunds e
    WHERE e.payment_id = f.payment_id AND e.number >= f.number AND e.number < o.number
  ))
  FROM owed_refunds f WHERE f.payment_id = o.payment_id AND f.number <= o.number
)`

/**
 * The point up to which the payment is owed back. Each owed refund pays the part that follows the one before it, so that no
 * money counts for two of them.
 */
export const owedUpTo = sql`coalesce((
  SELECT max(${wentBackBefore} + o.amount_minor) FROM owed_refunds o WHERE o.payment_id = m.id
), 0)`

/**
 * The returned part of the owed refund `o`. Money returned after a refund became due pays that refund first, whoever sent it,
 * so that a refund made both by us and in the seller's dashboard is not owed twice.
 */
export const wentBack = sql`max(
  0, min(o.amount_minor, ${refunded} + ${lostInDispute} - ${wentBackBefore})
)`

/** Goodwill refunds of operators that have not been sent yet. Each takes its share of the tokens from the day it is owed. */
export const promised = sql`coalesce((
  SELECT sum(o.amount_minor - ${wentBack}) FROM owed_refunds o
  WHERE o.payment_id = m.id AND o.reason = 'goodwill'
), 0)`

/**
 * Whether payment `m` was begun when the order of purchase `p` was too old. Razorpay accepts payments of an order for ever, at
 * the price of its day.
 */
export const isLate = sql`coalesce(m.began_at > p.created_at + ${days(ORDER_DAYS)}, 0)`

/** Whether payment `m` is what purchase `p` asks for. */
export const matches = sql`(
  m.amount_minor = p.amount_minor AND m.currency = p.currency AND m.conflict_at IS NULL
  AND (m.razorpay_order_id = p.razorpay_order_id OR m.razorpay_order_id = p.razorpay_link_order_id)
)`
