import { and, asc, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { z } from '../../../src/contract/zod.ts'
import { alarms } from '../../db/schema/admin.ts'
import type { Context } from '../context.ts'
import { days, minutes } from '../time.ts'

/** A check that has been due for longer than this is late: the job runs each minute. */
const LATE_MS = minutes(15)

/** Something that waits for a person or a job. */
export const OpenRow = z.object({
  what: z.string(),
  /** Its id or number: `T-7`, `pay_…`. */
  name: z.string(),
  /** The address or name it belongs to; '' for a webhook. */
  who: z.string(),
  /** Its kind: a ticket's severity, the reason of a pending refund, the phase of a dispute. */
  tag: z.string(),
  /** In the words of a person or a machine; '' when the other fields say it. */
  text: z.string(),
  /** The money at stake, in minor units, with its currency; null without any. */
  amountMinor: z.int().nullable(),
  currency: z.string().nullable(),
  /** Milliseconds UTC. */
  since: z.int(),
  /** The deadline for an answer; null without one. */
  until: z.int().nullable(),
  userId: z.string().nullable(),
  /** The purchase or mail for an action; null without one. */
  subject: z.string().nullable(),
})
export type OpenRow = z.infer<typeof OpenRow>

/** More than there are kinds; single payments, which have alerts of their own, may be more. */
const ALERTS_MAX = 100

/** The alerts that nobody has acknowledged, oldest first, those of single payments last: there may be more than fit. */
export function alertsQuery({ db, now }: Context) {
  return db
    .select()
    .from(alarms)
    .where(and(isNull(alarms.acknowledgedAt), lte(alarms.firstSeenAt, now)))
    .orderBy(
      sql`${alarms.kind} <> 'job failed' AND ${alarms.subject} <> ''`,
      asc(alarms.firstSeenAt),
    )
    .limit(ALERTS_MAX)
}

/** The age at which open work is overdue. Kinds that are not here are overdue at once: a job should have done them. */
const OVERDUE_AFTER_MS: Record<string, number> = {
  'owed refund': days(1),
  ticket: days(2),
  application: days(14),
}
/** How long before its deadline a dispute counts as urgent. */
const ANSWER_AHEAD_MS = days(1)

/** How urgent open work is, from when it began to wait and its deadline. Times in milliseconds UTC. */
export function urgencyOf(
  { now }: Context,
  { what, since, until }: { what: string; since: number; until: number | null },
): 'waits' | 'overdue' | 'passed' {
  if (until !== null && until <= now) return 'passed'
  const isOverdue =
    what === 'open dispute'
      ? until !== null && until - now < ANSWER_AHEAD_MS
      : now - since >= (OVERDUE_AFTER_MS[what] ?? 0)
  return isOverdue ? 'overdue' : 'waits'
}

/** One statement for each kind of thing, by an index whose order is when they came. */
export function openThings({ now, paymentMode }: Context): SQL[] {
  const ofMode = sql`p.payment_mode = ${paymentMode}`
  const noMoney = sql`NULL AS amountMinor, NULL AS currency`
  return [
    sql`SELECT 'unsettled purchase' AS what, p.id AS name, u.email AS who, p.status AS tag, p.sku AS text,
      p.amount_minor AS amountMinor, p.currency, p.next_check_at AS since, NULL AS until, p.user_id AS userId, p.id AS subject
      FROM purchases p JOIN users u ON u.id = p.user_id
      WHERE p.next_check_at < ${now - LATE_MS} AND ${ofMode} ORDER BY p.next_check_at`,
    sql`SELECT 'owed refund' AS what, o.payment_id AS name, u.email AS who, o.reason AS tag, '' AS text,
      o.amount_minor AS amountMinor, m.currency, o.created_at AS since, NULL AS until, p.user_id AS userId, p.id AS subject
      FROM owed_refunds o JOIN purchases p ON p.id = o.purchase_id JOIN payments m ON m.id = o.payment_id
      JOIN users u ON u.id = p.user_id
      WHERE o.done_at IS NULL AND o.created_at <= ${now} AND ${ofMode} ORDER BY o.created_at`,
    ...['inquiry', 'open'].map(
      (
        state,
      ) => sql`SELECT 'open dispute' AS what, t.id AS name, u.email AS who, coalesce(t.phase, '') AS tag, '' AS text,
        t.amount_minor AS amountMinor, t.currency, t.began_at AS since, t.respond_by AS until, p.user_id AS userId, p.id AS subject
        FROM refunds_and_disputes t JOIN payments m ON m.id = t.payment_id
        JOIN purchases p ON p.id = m.purchase_id JOIN users u ON u.id = p.user_id
        WHERE t.state = ${state} AND t.kind = 'dispute' AND ${ofMode} ORDER BY t.updated_at`,
    ),
    sql`SELECT 'unsent mail' AS what, e.id AS name, e.to_address AS who, e.kind AS tag,
      substr(e.attempts || ' tries' || coalesce(' · ' || e.last_error, ''), 1, 300) AS text,
      ${noMoney}, e.created_at AS since, NULL AS until, e.user_id AS userId, e.id AS subject
      FROM mails e WHERE e.due_at IS NOT NULL AND e.created_at < ${now - LATE_MS} ORDER BY e.created_at`,
    sql`SELECT 'unprocessed webhook' AS what, w.event_id AS name, '' AS who, w.event AS tag, '' AS text,
      ${noMoney}, w.received_at AS since, NULL AS until, NULL AS userId, NULL AS subject
      FROM webhook_events w WHERE w.processed_at IS NULL AND w.received_at < ${now - LATE_MS}
      ORDER BY w.received_at`,
    sql`SELECT 'ticket' AS what, 'T-' || s.number AS name, s.email AS who, s.severity AS tag,
      replace(substr(s.query, 1, 160), char(10), ' ') AS text, ${noMoney}, s.created_at AS since, NULL AS until,
      (SELECT u.id FROM users u WHERE u.email_key = lower(s.email)) AS userId, NULL AS subject
      FROM support_tickets s WHERE s.state <> 'closed' AND s.created_at <= ${now} ORDER BY s.number`,
    sql`SELECT 'application' AS what, 'A-' || s.number AS name, s.full_name AS who, '' AS tag, s.job_id AS text,
      ${noMoney}, s.created_at AS since, NULL AS until, NULL AS userId, NULL AS subject
      FROM job_applications s WHERE s.decided_at IS NULL AND s.created_at <= ${now} ORDER BY s.number`,
  ]
}
