/** @jsxImportSource hono/jsx */
import { and, gt, inArray, sql } from 'drizzle-orm'
import { getCookie, setCookie } from 'hono/cookie'
import { z } from '../../src/contract/zod.ts'
import type { alerts } from '../db/schema/admin.ts'
import { accountEvents } from '../db/schema/records.ts'
import { formatMoney } from '../domain/format-money.ts'
import { ALERTS, isAlertKind, sayFields } from '../domain/ports/alerts.ts'
import { Figures, figuresSince } from '../domain/report/figures.ts'
import { alertsQuery, byUrgency, openThings, urgencyOf } from '../domain/report/open-work.ts'
import { Row } from '../domain/report/row.ts'
import { days, hours, minutes } from '../domain/time.ts'
import { counted } from './actions/action.ts'
import { isSentAgain } from './customer-rows.ts'
import { List } from './list.tsx'
import { ActionLink, type Call, Facts, show, When } from './page.tsx'

/** Of each kind. */
const OPEN_MAX = 30
const FIGURE_DAYS = 14
/** All time zones differ from UTC by a multiple of this. */
const QUARTER_MS = minutes(15)
/** Mail that was given up longer ago needs no decision any more. */
const GIVEN_UP_MS = days(14)

/** `GET /admin`: what happened since this admin last looked, what needs a decision, and money by day. */
export async function showToday(c: Call): Promise<Response> {
  const { ctx } = c.env
  const { db, now } = ctx
  const since = lastLook(c)
  const { kind, createdAt } = accountEvents
  const isNew = and(gt(createdAt, since), inArray(kind, ['registered', 'trial_granted']))
  const { raised, open, figures, events } = await db.batch({
    raised: alertsQuery(ctx),
    open: [...openThings(ctx), mailGivenUp(now - GIVEN_UP_MS)].map((things) =>
      db.all(sql`${things} LIMIT ${OPEN_MAX}`),
    ),
    figures: db.all(figuresSince(ctx, now - days(FIGURE_DAYS + 1), QUARTER_MS)),
    events: db
      .select({ kind, count: sql<number>`count(*)` })
      .from(accountEvents)
      .where(isNew)
      .groupBy(kind),
  })
  const things = z
    .array(Row)
    .parse(open.flat())
    .map((row) => ({ ...row, isTrouble: urgencyOf(ctx, row) === 'waits' ? 0 : 1 }))
    .toSorted(byUrgency(ctx))
  const quarters = z.array(Figures).parse(figures)
  const recent = sumsBy(
    quarters.filter(({ at }) => at >= since),
    () => '',
  )
  const count = (of: string) => events.find((row) => row.kind === of)?.count ?? 0
  const timeZone = timeZoneOf(c)
  const dayOf = new Intl.DateTimeFormat('en-CA', { timeZone })
  return show(
    c,
    { title: 'Today' },
    <>
      <p>
        New since <When at={since} />:{' '}
        {recent.map(([, money]) => money).join('; ') || 'nothing sold, refunded or lost'};{' '}
        {counted(count('registered'), 'sign-up')}, {counted(count('trial_granted'), 'trial')}.
      </p>
      <h2>Alerts</h2>
      {raised.length === 0 ? <p class="muted">None is open.</p> : null}
      {raised.map((alert) => (
        <Alert alert={alert} />
      ))}
      <h2>What needs a decision</h2>
      <List name="What needs a decision" rows={things} now={now} />
      <h2>Money by day</h2>
      <p class="muted small">
        Days in the time zone {timeZone}. Money that bought nothing is not counted.
      </p>
      <Facts facts={sumsBy(quarters, ({ at }) => dayOf.format(at)).slice(0, 2 * FIGURE_DAYS)} />
    </>,
  )
}

/** Mail that nobody has sent again since it was given up. */
const mailGivenUp = (since: number) => sql`
  SELECT 'mail given up' AS what, e.id AS name, e.to_address AS who, e.kind AS tag, e.last_error AS text,
    e.failed_at AS at, e.user_id AS userId
  FROM mails e WHERE e.failed_at > ${since} AND e.user_id IS NOT NULL AND NOT ${isSentAgain}
  ORDER BY e.failed_at DESC`

const COOKIE = 'admin_looks'
/** Pages that are loaded within this time are one look. */
const LOOK_MS = hours(1)

/** When this browser's admin looked before the look that goes on now. Milliseconds UTC; a day ago at first. */
function lastLook(c: Call): number {
  const { now } = c.env.ctx
  const [before = now - days(1), last = before] = (getCookie(c, COOKIE) ?? '')
    .split('.')
    .filter((part) => /^\d+$/.test(part))
    .map(Number)
  const since = now - last < LOOK_MS ? before : last
  setCookie(c, COOKIE, `${since}.${now}`, {
    ...{ path: '/admin', httpOnly: true, sameSite: 'Lax', maxAge: days(90) / 1_000 },
  })
  return since
}

const Cf = z.object({ cf: z.object({ timezone: z.string() }) })

/** The time zone of the admin's connection, as Cloudflare tells it; UTC without one. */
function timeZoneOf(c: Call): string {
  const { data } = Cf.safeParse({ cf: Reflect.get(c.req.raw, 'cf') })
  return data?.cf.timezone ?? 'UTC'
}

/** Figures by a key, in their order, a sentence for each currency. */
function sumsBy(figures: readonly Figures[], keyOf: (row: Figures) => string): [string, string][] {
  const groups = Map.groupBy(figures, (row) => `${keyOf(row)} ${row.currency}`)
  return [...groups.values()].map((rows) => {
    const [first] = rows
    const sum = (of: Exclude<keyof Figures, 'at' | 'currency'>) =>
      rows.reduce((total, row) => total + row[of], 0)
    const money = (minor: number) => formatMoney(minor, first?.currency ?? '')
    const sold = `${sum('sales')} sold for ${money(sum('soldMinor'))}`
    const back = `${sum('refunds')} refunded for ${money(sum('refundedMinor'))}`
    const losses = sum('losses')
    const lost = losses === 0 ? '' : `, ${losses} lost to a bank for ${money(sum('lostMinor'))}`
    return [first === undefined ? '' : keyOf(first), `${sold}, ${back}${lost}`]
  })
}

const AlertFacts = z.record(z.string(), z.unknown())
/** What `/admin/find` knows. */
const ID = /^(?:(?:usr|pur|order|pay|plink|rfnd|disp|mail)_\w+|mails?-\S+)$/

const Alert = ({
  alert: { id, kind, count, firstSeenAt, lastSeenAt, fields },
}: {
  alert: typeof alerts.$inferSelect
}) => (
  <section class="card stack">
    <p class="row">
      <strong>{kind}</strong>
      <span class="muted small">
        {count === 1 ? 'once, ' : `${count} times, at last `}
        <When at={count === 1 ? firstSeenAt : lastSeenAt} />
      </span>
      <ActionLink kind="acknowledge_alert" label="Acknowledge" target={{ alert: id }} of={kind} />
    </p>
    <p>{isAlertKind(kind) ? ALERTS[kind] : 'An older version of the code raised it.'}</p>
    <p class="small muted row">
      {sayFields(AlertFacts.parse(JSON.parse(fields))).map(([name, value]) => (
        <span>
          {name}:{' '}
          {ID.test(value) ? (
            <a href={`/admin/find?q=${encodeURIComponent(value)}`}>{value}</a>
          ) : (
            value
          )}
        </span>
      ))}
    </p>
  </section>
)
