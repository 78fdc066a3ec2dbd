import { type SQL, sql } from 'drizzle-orm'
import { MAIN_PLAN } from '../../../src/contract/catalogue.ts'
import { Currency } from '../../../src/contract/currency.ts'
import {
  DayFigures,
  FIGURE_DAYS,
  OPEN_THINGS_MAX,
  OpenThing,
  type todayEndpoint,
} from '../../../src/contract/desk.ts'
import { z } from '../../../src/contract/zod.ts'
import type { Context } from '../context.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { alarmsQuery, toAlarm } from './alarms.ts'
import { days, minutes, toIso, toIsoOrNull } from '../time.ts'
import type { OperatorHandler } from '../handler.ts'

/** A check that has been due for longer than this is late: the job runs each minute. */
const LATE_MS = minutes(15)

/** How much open work the daily mail names, the oldest first. */
const OLDEST_MAX = 10
const YESTERDAY_AND_TODAY = 2

/** An open thing as its statement finds it. */
export const OpenRow = OpenThing.omit({ urgency: true }).extend({
  since: z.int(),
  until: z.int().nullable(),
})
type OpenRow = z.infer<typeof OpenRow>

/** Open work of people and jobs, the most urgent first, and the sales and refunds of the last days. */
export const showToday: OperatorHandler<typeof todayEndpoint> = async (ctx) => {
  const { alarms, open, figures } = await ctx.db.batch({
    alarms: alarmsQuery(ctx),
    open: openThings(ctx).map((things) => ctx.db.all(sql`${things} LIMIT ${OPEN_THINGS_MAX}`)),
    figures: ctx.db.all(figuresByDay(ctx, FIGURE_DAYS)),
  })
  const waiting = z.array(OpenRow).parse(open.flat())
  return {
    success: true,
    alarms: alarms.map(toAlarm),
    open: ranked(ctx, waiting).map((row) => ({
      ...row,
      since: toIso(row.since),
      until: toIsoOrNull(row.until),
      urgency: urgencyOf(ctx, row),
    })),
    days: z.array(DayFigures).parse(figures),
  }
}

const URGENCIES: readonly string[] = ['passed', 'overdue', 'waits'] satisfies OpenThing['urgency'][]

/** In working order: by urgency, then by deadline, severity, amount and age. */
function ranked(ctx: Context, rows: readonly OpenRow[]): OpenRow[] {
  const ranks = (row: OpenRow) => [
    URGENCIES.indexOf(urgencyOf(ctx, row)),
    row.until ?? Infinity,
    row.tag === 'high' ? 0 : 1,
    -worthOf(row),
    row.since,
  ]
  return rows
    .map((row) => ({ row, rank: ranks(row) }))
    .toSorted(({ rank: one }, { rank: other }) => {
      const place = one.findIndex((value, index) => value !== other[index])
      return (one[place] ?? 0) - (other[place] ?? 0)
    })
    .map(({ row }) => row)
}

/** Money in plans, because amounts in two currencies do not compare; 0 for a currency that nothing is sold in. */
function worthOf({ amountMinor, currency }: OpenRow): number {
  const known = Currency.safeParse(currency)
  return known.success ? (amountMinor ?? 0) / MAIN_PLAN.priceMinor[known.data] : 0
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
): OpenThing['urgency'] {
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
    ...['new', 'waiting'].map(
      (
        state,
      ) => sql`SELECT 'ticket' AS what, 'T-' || s.number AS name, s.email AS who, s.severity AS tag,
        replace(substr(s.query, 1, 160), char(10), ' ') AS text, ${noMoney}, coalesce((
          SELECT max(e.created_at) FROM submission_entries e WHERE e.submission_id = s.id AND e.kind <> 'note'
        ), s.created_at) AS since, NULL AS until,
        (SELECT u.id FROM users u WHERE u.email_key = lower(s.email)) AS userId, NULL AS subject
        FROM support_tickets s WHERE s.state = ${state} AND s.created_at <= ${now} ORDER BY s.created_at`,
    ),
    sql`SELECT 'application' AS what, 'A-' || s.number AS name, s.full_name AS who, '' AS tag, s.job_id AS text,
      ${noMoney}, s.created_at AS since, NULL AS until, NULL AS userId, NULL AS subject
      FROM job_applications s WHERE s.state = 'new' AND s.created_at <= ${now} ORDER BY s.created_at`,
  ]
}

/**
 * The last days in UTC, up to today: sales by the day of their grant, and refunds of sales by the day they began, in the
 * currency of the payment. Money that granted nothing was not a sale and counts in neither.
 */
function figuresByDay({ now, paymentMode }: Context, count: number): SQL {
  const from = Math.floor(now / days(1)) * days(1) - days(count - 1)
  const dayOf = (instant: SQL) => sql`date(${instant} / 1000, 'unixepoch')`
  return sql`SELECT day, currency, sum(sales) AS sales, sum(sold) AS soldMinor, sum(refunded) AS refundedMinor
    FROM (
      SELECT ${dayOf(sql`g.granted_at`)} AS day, p.currency, 1 AS sales, p.amount_minor AS sold, 0 AS refunded
      FROM grants g JOIN purchases p ON p.id = g.purchase_id
      WHERE g.granted_at >= ${from} AND g.payment_mode = ${paymentMode}
      UNION ALL
      SELECT ${dayOf(sql`t.began_at`)}, t.currency, 0, 0, t.amount_minor
      FROM refunds_and_disputes t JOIN grants g ON g.payment_id = t.payment_id
      WHERE t.kind = 'refund' AND t.began_at >= ${from} AND t.state <> 'undone'
        AND g.payment_mode = ${paymentMode}
    )
    WHERE currency IN ('USD', 'INR') GROUP BY day, currency ORDER BY day DESC, currency DESC`
}

/**
 * Mails the operator yesterday's figures (UTC) and the oldest open work, once a day. The mail names kinds and ages
 * only: customers' data stays at the desk.
 */
export async function mailYesterday(ctx: Context): Promise<void> {
  const day = toIso(ctx.now - days(1)).slice(0, 10)
  const { alarms, open, figures } = await ctx.db.batch({
    alarms: alarmsQuery(ctx),
    open: openThings(ctx).map((things) => ctx.db.all(sql`${things} LIMIT ${OLDEST_MAX}`)),
    // A long read keeps the server from moving its log into the database, and then all writes wait for it.
    figures: ctx.db.all(figuresByDay(ctx, YESTERDAY_AND_TODAY)),
  })
  const waiting = [
    ...alarms.map(({ kind, firstSeenAt }) => ({ what: kind, since: firstSeenAt, until: null })),
    ...z.array(OpenRow).parse(open.flat()),
  ]
  const mail = enqueueMail(ctx, {
    id: `mail-day:${day}`,
    kind: 'day_for_operator',
    payload: {
      day,
      figures: z
        .array(DayFigures)
        .parse(figures)
        .filter((figure) => figure.day === day),
      oldest: waiting
        .toSorted((one, other) => one.since - other.since)
        .slice(0, OLDEST_MAX)
        .map(({ what, since, until }) => ({ what, since, until })),
    },
    to: ctx.brand.operatorEmail,
    userId: null,
  })
  await ctx.db.batch([mail])
}
