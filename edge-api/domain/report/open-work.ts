import { and, asc, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { alerts } from '../../db/schema/admin.ts'
import { hasOpenDispute } from '../../db/has-open-dispute.ts'
import type { Context } from '../context.ts'
import type { Row } from './row.ts'
import { days, minutes } from '../time.ts'

/** A check that has been due for longer than this is late: the job runs each minute. */
const LATE_MS = minutes(15)

/** More than there are kinds; single payments, which have alerts of their own, may be more. */
const ALERTS_MAX = 100

/** The alerts that nobody has acknowledged, oldest first, those of single payments last: there may be more than fit. */
export function alertsQuery({ db, now }: Context) {
  return db
    .select()
    .from(alerts)
    .where(and(isNull(alerts.acknowledgedAt), lte(alerts.firstSeenAt, now)))
    .orderBy(
      sql`${alerts.kind} <> 'job failed' AND ${alerts.subject} <> ''`,
      asc(alerts.firstSeenAt),
    )
    .limit(ALERTS_MAX)
}

/**
 * The age at which open work is overdue. Other kinds are overdue at once, because a job should have done them or gave them up;
 * but disputes by their deadline.
 */
const OVERDUE_AFTER_MS: Record<string, number> = {
  'owed refund': days(1),
  ticket: days(2),
  application: days(14),
}
/** How long before its deadline a dispute is overdue: the daily mail names it a day ahead or more. */
const ANSWER_AHEAD_MS = days(2)

/** How urgent open work is. */
export function urgencyOf(
  { now }: Context,
  { what, at, until }: Pick<Row, 'what' | 'at' | 'until'>,
): 'waits' | 'overdue' | 'passed' {
  if (until !== null && until <= now) return 'passed'
  const isOverdue =
    what === 'open dispute'
      ? until !== null && until - now < ANSWER_AHEAD_MS
      : now - at >= (OVERDUE_AFTER_MS[what] ?? 0)
  return isOverdue ? 'overdue' : 'waits'
}

/** Orders open work: by urgency, then what has a deadline by it, then severe tickets, then by age. */
export function byUrgency(ctx: Context): (one: Row, other: Row) => number {
  const rankOf = (row: Row) => {
    const urgency = ['passed', 'overdue', 'waits'].indexOf(urgencyOf(ctx, row))
    return urgency * 1e15 + (row.until ?? row.at + (row.tag === 'high' ? 1e14 : 2e14))
  }
  return (one, other) => rankOf(one) - rankOf(other)
}

/**
 * One statement for each kind of thing that waits for a person or a job, by an index. Those of disputes begin with the nearest
 * deadline, that of tickets with severe ones, the others with the oldest.
 */
export function openThings({ now, paymentMode }: Context): SQL[] {
  const ofMode = sql`p.payment_mode = ${paymentMode}`
  return [
    sql`SELECT 'unsettled purchase' AS what, p.id AS name, u.email AS who, p.status AS tag, p.sku AS text,
      p.amount_minor AS amountMinor, p.currency, p.next_check_at AS at, p.user_id AS userId, p.id AS purchaseId
      FROM purchases p JOIN users u ON u.id = p.user_id
      WHERE p.next_check_at < ${now - LATE_MS} AND ${ofMode} ORDER BY p.next_check_at`,
    // While a bank disputes a payment nobody may refund it: the dispute is what waits.
    sql`SELECT 'owed refund' AS what, o.payment_id AS name, u.email AS who, o.reason AS tag,
      o.amount_minor AS amountMinor, m.currency, o.created_at AS at, p.user_id AS userId, p.id AS purchaseId
      FROM owed_refunds o JOIN purchases p ON p.id = o.purchase_id JOIN payments m ON m.id = o.payment_id
      JOIN users u ON u.id = p.user_id
      WHERE o.done_at IS NULL AND o.created_at <= ${now} AND NOT ${hasOpenDispute(sql`o.payment_id`)} AND ${ofMode}
      ORDER BY o.created_at`,
    ...['inquiry', 'open'].map(
      (state) => sql`SELECT 'open dispute' AS what, t.id AS name, u.email AS who, t.phase AS tag,
        t.amount_minor AS amountMinor, t.currency, t.began_at AS at, t.respond_by AS until,
        p.user_id AS userId, p.id AS purchaseId
        FROM refunds_and_disputes t JOIN payments m ON m.id = t.payment_id
        JOIN purchases p ON p.id = m.purchase_id JOIN users u ON u.id = p.user_id
        WHERE t.state = ${state} AND t.kind = 'dispute' AND ${ofMode}
        ORDER BY t.respond_by IS NULL, t.respond_by`,
    ),
    sql`SELECT 'unsent mail' AS what, e.id AS name, e.to_address AS who, e.kind AS tag,
      substr(e.attempts || ' tries' || coalesce(' · ' || e.last_error, ''), 1, 300) AS text,
      e.created_at AS at, e.user_id AS userId
      FROM mails e WHERE e.due_at IS NOT NULL AND e.created_at < ${now - LATE_MS} ORDER BY e.created_at`,
    sql`SELECT 'unprocessed webhook' AS what, w.event_id AS name, w.event AS tag, w.received_at AS at
      FROM webhook_events w WHERE w.processed_at IS NULL AND w.received_at < ${now - LATE_MS}
      ORDER BY w.received_at`,
    sql`SELECT 'ticket' AS what, 'T-' || s.number AS name, s.email AS who, s.severity AS tag,
      replace(substr(s.query, 1, 160), char(10), ' ') AS text, s.created_at AS at,
      (SELECT u.id FROM users u WHERE u.email_key = lower(s.email)) AS userId
      FROM support_tickets s WHERE s.state <> 'closed' AND s.created_at <= ${now}
      ORDER BY s.severity <> 'high', s.number`,
    sql`SELECT 'application' AS what, 'A-' || s.number AS name, s.full_name AS who, s.job_id AS text, s.created_at AS at
      FROM job_applications s WHERE s.decided_at IS NULL AND s.created_at <= ${now} ORDER BY s.number`,
  ]
}
