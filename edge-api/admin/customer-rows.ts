import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { z } from '../../src/contract/zod.ts'
import { hasOpenDispute } from '../db/has-open-dispute.ts'
import { payments, purchases, receipts } from '../db/schema/purchases.ts'
import { sessions } from '../db/schema/sessions.ts'
import { balances } from '../db/schema/tokens.ts'
import { users } from '../db/schema/users.ts'
import { SIGNS_OF_USE } from '../domain/account/record-event.ts'
import { entitlementColumns } from '../domain/entitlement/columns.ts'
import { factorColumns } from '../domain/account/has-factor.ts'
import { latestPlanOf } from '../domain/entitlement/plan.ts'
import { isOpen } from '../domain/session/session.ts'
import type { Context } from '../domain/context.ts'
import { DISPUTE_STATES } from '../domain/mail/purchase-mails.ts'
import { refundedMinorOf } from '../domain/purchase/purchase.ts'
import { Row } from '../domain/report/row.ts'
import { days } from '../domain/time.ts'
import { correctionQuery } from './actions/correct-address.ts'

/** The most rows of one kind on a customer's page. */
const ROWS_MAX = 100
/** Apart from other events, so that a stranger's guesses push nothing else off the page. */
const FAILURES_MAX = 25

export type CustomerRows = Awaited<ReturnType<typeof readCustomer>>

/**
 * An account with everything that happened to it, newest first. With a purchase, the evidence for a dispute of it: what
 * happened since the day of its order, oldest first.
 */
export async function readCustomer(ctx: Context, userId: string, purchaseId?: string) {
  const { db, now, paymentMode } = ctx
  const isOwn = and(
    eq(purchases.userId, userId),
    purchaseId === undefined ? undefined : eq(purchases.id, purchaseId),
  )
  const { timeline, ...rows } = await db.batch({
    users: db
      .select({ user: users, ...factorColumns(sql`${userId}`), ...entitlementColumns })
      .from(users)
      .leftJoin(balances, and(eq(balances.userId, users.id), eq(balances.paymentMode, paymentMode)))
      .leftJoin(purchases, eq(purchases.id, latestPlanOf(ctx, users.id)))
      .where(eq(users.id, userId)),
    corrections: correctionQuery(ctx, userId),
    sessions: db
      .select()
      .from(sessions)
      .where(and(eq(sessions.userId, userId), isOpen(now)))
      .orderBy(desc(sessions.lastUsedAt))
      .limit(ROWS_MAX),
    purchases: db
      .select({ purchase: purchases, receipt: receipts, ...MONEY })
      .from(purchases)
      .leftJoin(receipts, eq(receipts.purchaseId, purchases.id))
      .where(isOwn)
      // Money first: an unpaid order is soon made, and a page without a paid one offers no refund of it.
      .orderBy(
        sql`${purchases.status} IN ('open', 'attempted', 'expired')`,
        desc(purchases.createdAt),
      )
      .limit(ROWS_MAX),
    payments: db
      .select({ payment: payments })
      .from(purchases)
      .innerJoin(payments, eq(payments.purchaseId, purchases.id))
      .where(isOwn)
      .orderBy(desc(payments.createdAt))
      .limit(ROWS_MAX),
    timeline: timelineOf(userId, paymentMode, purchaseId).map((statement) => db.all(statement)),
  })
  // At the same time, an effect stands above its cause.
  const newest = z
    .array(Row)
    .parse(timeline.flat().toReversed())
    .toSorted((one, other) => other.at - one.at)
  return { ...rows, timeline: purchaseId === undefined ? newest : newest.toReversed() }
}

const hasDispute = (condition = sql`true`) => sql<number>`EXISTS (
  SELECT 1 FROM payments m JOIN refunds_and_disputes t ON t.payment_id = m.id
  WHERE m.purchase_id = ${purchases.id} AND t.kind = 'dispute' AND ${condition})`

/** What became of a purchase's money and tokens. */
const MONEY = {
  /** The part of the payment behind a grant that was not refunded or lost, and is not to be refunded; null without a grant. */
  leftMinor: sql<number | null>`(
    SELECT m.amount_minor - m.refunded_minor - m.lost_minor - m.pending_refund_minor
    FROM grants g JOIN payments m ON m.id = g.payment_id WHERE g.purchase_id = ${purchases.id})`,
  refundedMinor: refundedMinorOf(sql`${purchases.id}`),
  /** The tokens of it that are gone, without those that a refund or a bank took; null without a grant. */
  goneTokens: sql<number | null>`(
    SELECT ${purchases.tokens} - o.left + (SELECT coalesce(sum(l.tokens), 0) FROM ledger l
      WHERE l.purchase_id = ${purchases.id} AND l.kind IN ('reversal', 'restoration'))
    FROM lots o WHERE o.purchase_id = ${purchases.id})`,
  /** The tokens that admins have taken from the account since its grant. No row says from which purchase. */
  takenTokens: sql<number>`(
    SELECT coalesce(-sum(l.tokens), 0) FROM grants g JOIN ledger l ON l.user_id = g.user_id AND l.payment_mode = g.payment_mode
    WHERE g.purchase_id = ${purchases.id} AND l.kind = 'adjustment' AND l.tokens < 0 AND l.created_at >= g.granted_at)`,
  /** Whether a person must refund a payment of it; not one that a bank disputes, because the bank may return it, too. */
  hasMismatch: sql<number>`EXISTS (SELECT 1 FROM owed_refunds o
    WHERE o.purchase_id = ${purchases.id} AND o.reason = 'mismatch' AND o.done_at IS NULL
      AND NOT ${hasOpenDispute(sql`o.payment_id`)})`,
  hasDispute: hasDispute(),
  isQuestioned: hasDispute(sql`t.state = 'inquiry'`),
  /** Until when the bank takes an answer, milliseconds UTC; null when nothing is open, was answered, or Razorpay told no time. */
  respondBy: sql<number | null>`(
    SELECT min(t.respond_by) FROM payments m JOIN refunds_and_disputes t ON t.payment_id = m.id
    WHERE m.purchase_id = ${purchases.id} AND t.kind = 'dispute' AND t.state IN ('inquiry', 'open'))`,
  /** Whether a bank disputes the payment behind its grant, so that nothing of it can be refunded. */
  isGrantDisputed: sql<number>`EXISTS (
    SELECT 1 FROM grants g WHERE g.purchase_id = ${purchases.id} AND ${hasOpenDispute(sql`g.payment_id`)})`,
  /** Whether a bank disputes a payment of it. */
  isDisputed: hasDispute(sql`t.state = 'open'`),
}

/** In SQL, the status of payment `m` in Razorpay's words. */
export const STATUS_OF_PAYMENT = sql`CASE m.rank
  WHEN 0 THEN 'created' WHEN 1 THEN 'failed' WHEN 2 THEN 'authorized' ELSE 'captured' END`

/** In SQL, whether an admin has sent mail `e` again since it was given up. */
export const isSentAgain = sql`EXISTS (SELECT 1 FROM desk_acts a WHERE a.user_id = e.user_id
  AND a.kind = 'resend_mail' AND a.subject = e.id AND a.created_at >= e.failed_at)`

const REFUND_STATES = { open: 'under way', final: 'completed', undone: 'failed' }

const stateIn = (words: Readonly<Record<string, string>>) => {
  const cases = Object.entries(words).map(([state, word]) => sql`WHEN ${state} THEN ${word}`)
  return sql`CASE t.state ${sql.join(cases, sql` `)} END`
}

/** In SQL, the state of refund or dispute `t` in words. */
export const STATE_IN_WORDS = sql`iif(t.kind = 'refund', ${stateIn(REFUND_STATES)}, ${stateIn(DISPUTE_STATES)})`

const minute = (at: string) => sql.raw(`strftime('%Y-%m-%d %H:%M UTC', ${at} / 1000, 'unixepoch')`)

/** What brought the news about purchase `p` at a time. All rows that `settle` writes in one batch have the same. */
const cause = (at: SQL) => sql`(SELECT 'by ' || c.cause FROM purchase_causes c
  WHERE c.purchase_id = p.id AND c.created_at = ${at} LIMIT 1) AS who, ${at} AS at, p.id AS purchaseId`

/** Events about money are notifications to the customer; the rest of the timeline shows what happened. */
const EVENT = sql`'account' AS what, e.created_at AS at,
  CASE WHEN e.kind = 'by_support' THEN 'customer notified: ' || (e.detail ->> 'text')
    ELSE iif(e.kind IN ('paid', 'refunded', 'disputed'), 'customer notified: ', '') || replace(e.kind, '_', ' ')
      || coalesce(' · ' || nullif(e.device, ''), '') || coalesce(' · ' || nullif(e.ip_prefix, ''), '') END AS text,
  e.kind IN ('sign_in_failed', 'factor_failed', 'disputed', 'not_me') AS isTrouble`

/** The statements that read what happened, one for each kind of row, from cause to effect. */
function timelineOf(userId: string, paymentMode: string, purchaseId?: string): SQL[] {
  const isEvidence = purchaseId !== undefined
  const own = isEvidence
    ? sql`p.user_id = ${userId} AND p.id = ${purchaseId}`
    : sql`p.user_id = ${userId}`
  const since = isEvidence
    ? sql`(SELECT p.created_at - p.created_at % ${days(1)} FROM purchases p WHERE ${own})`
    : sql`0`
  const events = isEvidence
    ? sql`e.kind IN ${[...SIGNS_OF_USE]} AND e.kind <> 'registered'`
    : sql`e.kind NOT IN ('sign_in_failed', 'registered')`
  // A bank wants each day. Elsewhere a year of use would hide the rest.
  const period = sql`strftime(${isEvidence ? '%Y-%m-%d' : '%Y-%m'}, d.day / 1000, 'unixepoch')`
  const lotsOf = isEvidence
    ? sql`coalesce(l.purchase_id, ${purchaseId}) = ${purchaseId}`
    : sql`true`
  // A bank would take the receipt or refund of another purchase for one of this. A damaged payload names no purchase, and neither
  // do mails about the account, which are shown, and older ones about a refund, which are not: it may be another's.
  const named = sql`iif(json_valid(e.payload), e.payload ->> 'purchaseId', NULL)`
  const mailsOf = isEvidence
    ? sql`coalesce(${named}, iif(e.kind = 'refund', '', ${purchaseId})) = ${purchaseId}`
    : sql`true`
  // Captured money grants tokens or gets a pending refund in the same batch.
  const reachedAt = sql`coalesce(g.granted_at, o.created_at, iif(m.rank = 3, m.created_at, m.updated_at))`
  const ofPayments = sql`FROM purchases p JOIN payments m ON m.purchase_id = p.id
    LEFT JOIN grants g ON g.payment_id = m.id
    LEFT JOIN owed_refunds o ON o.payment_id = m.id WHERE ${own}`
  const ofRefunds = sql`t.kind AS what, t.id AS name, t.amount_minor AS amountMinor, t.currency`
  const fromRefunds = sql`FROM purchases p JOIN payments m ON m.purchase_id = p.id
    JOIN refunds_and_disputes t ON t.payment_id = m.id WHERE ${own}`
  const isOver = sql`t.state IN ('final', 'undone')`
  const isSent = sql`(e.sent_at IS NOT NULL)`
  // It is claimed from just before a try until just after it.
  const isCalm = sql`(e.failed_at IS NULL AND e.last_error IS NULL AND e.attempts <= 1)`
  const kinds = [
    sql`SELECT 'account' AS what, 'registered' AS text, u.created_at AS at FROM users u WHERE u.id = ${userId}`,
    sql`SELECT ${EVENT} FROM account_events e WHERE e.user_id = ${userId} AND ${events}`,
    sql`SELECT 'use' AS what, max(d.day) AS at,
        printf('%,d tokens used in %s (UTC), from any purchase', sum(d.tokens), ${period}) AS text
      FROM usage_days d WHERE d.user_id = ${userId} AND d.payment_mode = ${paymentMode} GROUP BY ${period}`,
    sql`SELECT 'mail' AS what, e.id AS name, e.created_at AS at,
        replace(e.kind, '_', ' ') || ' to ' || e.to_address || ': ' || CASE WHEN ${isSent} THEN 'sent ' || ${minute('e.sent_at')}
          WHEN ${isCalm} THEN 'waiting to be sent'
          ELSE iif(e.failed_at IS NULL, 'waits', 'given up') || ' after ' || e.attempts || ' tries: '
            || coalesce(e.last_error, 'no reason') || iif(${isSentAgain}, '; sent again', '') END AS text,
        NOT ${isSent} AND NOT ${isCalm} AND NOT ${isSentAgain} AS isTrouble
      FROM mails e WHERE e.user_id = ${userId} AND ${mailsOf}`,
    sql`SELECT 'purchase' AS what, p.id AS name, p.amount_minor AS amountMinor, p.currency, p.created_at AS at, p.id AS purchaseId,
        replace(p.sku, '_', ' ') || ' by ' || p.channel || coalesce(' from ' || p.country, '')
          || coalesce(', ' || p.razorpay_order_id, ', ' || p.razorpay_link_id, ', no order yet') AS text,
        p.status = 'review' AS isTrouble
      FROM purchases p WHERE ${own}`,
    sql`SELECT 'receipt' AS what, ${RECEIPT_NUMBER} AS name, 'issued' AS text, ${cause(sql`r.issued_at`)}
      FROM purchases p JOIN receipts r ON r.purchase_id = p.id WHERE ${own}`,
    sql`SELECT 'payment' AS what, m.id AS name, 'started' AS text, ${cause(sql`m.created_at`)}
      ${ofPayments} AND ${reachedAt} > m.created_at`,
    sql`SELECT 'payment' AS what, m.id AS name, m.amount_minor AS amountMinor, m.currency, ${cause(reachedAt)},
        ${STATUS_OF_PAYMENT} || coalesce(': ' || m.error_reason, '')
          || iif(m.conflict_at IS NULL, '', ', contradicts itself') AS text,
        m.conflict_at IS NOT NULL OR m.rank = 1 AS isTrouble ${ofPayments}`,
    sql`SELECT 'refund' AS what, o.payment_id AS name, o.amount_minor AS amountMinor, m.currency, ${cause(sql`o.created_at`)},
        'owed back (' || replace(o.reason, '_', ' ') || '): '
          || coalesce('refunded ' || ${minute('o.done_at')}, 'not refunded yet'
          || iif(o.reason = 'mismatch' AND NOT ${hasOpenDispute(sql`o.payment_id`)}, ': refund it in Razorpay’s dashboard', '')) AS text,
        o.done_at IS NULL AS isTrouble
      FROM purchases p JOIN owed_refunds o ON o.purchase_id = p.id JOIN payments m ON m.id = o.payment_id WHERE ${own}`,
    sql`SELECT ${ofRefunds}, ${cause(sql`t.updated_at`)}, ${STATE_IN_WORDS} AS text ${fromRefunds} AND t.kind = 'refund'`,
    sql`SELECT ${ofRefunds}, t.began_at AS at, iif(${isOver}, 'opened', ${STATE_IN_WORDS} || coalesce(', answer before ' || ${minute('t.respond_by')}, '')) AS text, NOT ${isOver} AS isTrouble
      ${fromRefunds} AND t.kind = 'dispute'`,
    sql`SELECT ${ofRefunds}, ${cause(sql`t.updated_at`)}, ${STATE_IN_WORDS} AS text
      ${fromRefunds} AND t.kind = 'dispute' AND ${isOver}`,
    sql`SELECT 'tokens' AS what, printf('%s of %,d tokens', l.kind, iif(l.kind = 'reversal', -l.tokens, l.tokens)) AS text,
        (SELECT 'by ' || c.cause FROM purchase_causes c
          WHERE c.purchase_id = l.purchase_id AND c.created_at = l.created_at LIMIT 1) AS who, l.created_at AS at
      FROM ledger l WHERE l.user_id = ${userId} AND l.kind <> 'use' AND ${lotsOf}`,
  ]
  const isFromAccount = sql`lower(s.email) = (SELECT lower(u.email) FROM users u WHERE u.id = ${userId})`
  const others = [
    sql`SELECT ${EVENT} FROM account_events e
      WHERE e.user_id = ${userId} AND e.kind = 'sign_in_failed' ORDER BY at DESC LIMIT ${FAILURES_MAX}`,
    sql`SELECT 'admin' AS what, 'by ' || a.operator_id AS who, a.created_at AS at,
        replace(a.kind, '_', ' ') || ': ' || a.reason || ' · '
          || (SELECT group_concat(value, ' ') FROM json_each(a.changes)) AS text
      FROM desk_acts a WHERE a.user_id = ${userId}`,
    sql`SELECT 'ticket' AS what, 'T-' || s.number AS name, s.severity AS tag, s.query AS text, s.created_at AS at
      FROM support_tickets s WHERE ${isFromAccount}`,
    sql`SELECT 'application' AS what, 'A-' || s.number AS name, 'for ' || s.job_id AS text, s.created_at AS at
      FROM job_applications s WHERE ${isFromAccount}`,
  ]
  const order = sql.raw(isEvidence ? 'ASC' : 'DESC')
  return (isEvidence ? kinds : [...kinds, ...others]).map(
    (kind) =>
      sql`SELECT * FROM (${kind}) WHERE at >= ${since} ORDER BY at ${order} LIMIT ${ROWS_MAX}`,
  )
}

/** In SQL, the number of receipt `r`, as `receiptNumber` writes it. */
export const RECEIPT_NUMBER = sql`iif(r.series = '', 'R-', 'R/' || r.series || '/') || printf('%06d', r.number)`
