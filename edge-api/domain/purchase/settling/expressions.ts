import { sql } from 'drizzle-orm'
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
 * What dispute `t` takes of the payment's amount. A dispute in Razorpay's own currency is measured by the payment's amount
 * in that currency, and rounded up; in any other currency it takes nothing, and the alert about it leaves it to a person. Divided by nothing it is NULL, which
 * adds nothing to a sum.
 */
const taken = sql`CASE
  WHEN t.currency = m.currency THEN t.amount_minor
  WHEN t.currency = m.base_currency
    THEN (m.amount_minor * t.amount_minor + m.base_amount_minor - 1) / m.base_amount_minor
  ELSE 0
END`

/**
 * A lost dispute that Razorpay refunded: the same money, reported twice. A refund from before the dispute is other money, and
 * so is one of what was owed after the dispute was lost.
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

const takenByDisputes = sql`
  SELECT coalesce(sum(${taken}), 0) FROM refunds_and_disputes t
  WHERE t.payment_id = m.id AND t.kind = 'dispute'`

/** What disputes keep of the payment, from their first day on. */
export const disputed = sql`(
  ${takenByDisputes} AND t.state IN ('open', 'final') AND NOT ${isRefunded}
)`

export const lostInDispute = sql`(${takenByDisputes} AND t.state = 'final' AND NOT ${isRefunded})`

/** Razorpay's clock and ours differ by less. */
const CLOCKS_MS = minutes(1)

/**
 * What of the money that had gone back before refund `f` was owed is still gone: its refunds did not fail since, and the
 * disputes that it was lost in were not won. What fails later must not count
 * as before: our own refund would seem missing, and be sent again. A refund is from before when it was stored before, or
 * began before by Razorpay's clock: of one whose webhooks were lost, only the payment's total had told until it failed.
 */
const stillBefore = sql`max(0, f.refunded_before_minor - (
  SELECT coalesce(sum(t.amount_minor), 0) FROM refunds_and_disputes t
  WHERE t.payment_id = f.payment_id AND t.kind = 'refund' AND t.state = 'undone'
    AND min(t.created_at, t.began_at + ${CLOCKS_MS}) < f.created_at
    AND t.updated_at > f.created_at
) - max(0, f.lost_before_minor - (${takenByDisputes} AND t.state = 'final')))`

/**
 * Where the part of the payment begins that refund `o` pays: after what went back before it, and after the parts of the
 * refunds that were owed before it. These stay before it when the money for them fails, for they are owed as before.
 */
const wentBackBefore = sql`(
  SELECT max(${stillBefore} + (
    SELECT coalesce(sum(e.amount_minor), 0) FROM owed_refunds e
    WHERE e.payment_id = f.payment_id AND e.number >= f.number AND e.number < o.number
  ))
  FROM owed_refunds f WHERE f.payment_id = o.payment_id AND f.number <= o.number
)`

/**
 * Up to where the payment is owed back: each owed refund pays the part of it that follows the part of the one before, so
 * that no money counts for two of them.
 */
export const owedUpTo = sql`coalesce((
  SELECT max(${wentBackBefore} + o.amount_minor) FROM owed_refunds o WHERE o.payment_id = m.id
), 0)`

/**
 * What of the owed refund `o` went back. Money that goes back after a refund was owed pays that refund first, whoever sent
 * it, so that a refund which we and the seller's dashboard both make is not owed twice.
 */
export const wentBack = sql`max(
  0, min(o.amount_minor, ${refunded} + ${lostInDispute} - ${wentBackBefore})
)`

/** What operators give back and did not go back yet. It takes its share of the tokens from the day it is owed. */
export const promised = sql`coalesce((
  SELECT sum(o.amount_minor - ${wentBack}) FROM owed_refunds o
  WHERE o.payment_id = m.id AND o.reason = 'goodwill'
), 0)`

/**
 * Whether payment `m` was begun when its order, that of purchase `p`, was too old. An order at Razorpay can be paid for ever,
 * at the price of its day.
 */
export const isLate = sql`coalesce(m.began_at > p.created_at + ${days(ORDER_DAYS)}, 0)`

/** Whether payment `m` is what purchase `p` asks for. */
export const matches = sql`(
  m.amount_minor = p.amount_minor AND m.currency = p.currency AND m.conflict_at IS NULL
  AND (m.razorpay_order_id = p.razorpay_order_id OR m.razorpay_order_id = p.razorpay_link_order_id)
)`
