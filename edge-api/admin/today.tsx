/** @jsxImportSource hono/jsx */
import { and, desc, gt, inArray, isNotNull, sql } from 'drizzle-orm'
import { getCookie, setCookie } from 'hono/cookie'
import { z } from '../../src/contract/zod.ts'
import type { alarms } from '../db/schema/admin.ts'
import { accountEvents, mails } from '../db/schema/records.ts'
import { formatMoney } from '../domain/format-money.ts'
import { ALERTS, isAlertKind, sayFields } from '../domain/ports/alerts.ts'
import { Figures, figuresSince } from '../domain/report/figures.ts'
import { alertsQuery, OpenRow, openThings, urgencyOf } from '../domain/report/open-work.ts'
import { days, hours, minutes } from '../domain/time.ts'
import { pageOf } from './actions/action.ts'
import { LIST } from './actions/submission.ts'
import { inWords } from './customer-money.ts'
import { ActionLink, Badge, type Call, RazorpayLink, show, Table, When } from './page.tsx'

/** Of each kind, those that came first. */
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
  const { alerts, open, figures, events, givenUp } = await db.batch({
    alerts: alertsQuery(ctx),
    open: openThings(ctx).map((things) => db.all(sql`${things} LIMIT ${OPEN_MAX}`)),
    figures: db.all(figuresSince(ctx, now - days(FIGURE_DAYS + 1), QUARTER_MS)),
    events: db
      .select({ kind: accountEvents.kind, count: sql<number>`count(*)` })
      .from(accountEvents)
      .where(
        and(
          gt(accountEvents.createdAt, since),
          inArray(accountEvents.kind, ['registered', 'trial_granted']),
        ),
      )
      .groupBy(accountEvents.kind),
    givenUp: db
      .select()
      .from(mails)
      .where(
        and(
          isNotNull(mails.failedAt),
          gt(mails.failedAt, now - GIVEN_UP_MS),
          isNotNull(mails.userId),
          isNotCopied,
        ),
      )
      .orderBy(desc(mails.failedAt))
      .limit(OPEN_MAX),
  })
  const things = z
    .array(OpenRow)
    .parse(open.flat())
    .toSorted((one, other) => rankOf(ctx, one) - rankOf(ctx, other))
  const quarters = z.array(Figures).parse(figures)
  const recent = addUp(
    quarters.filter(({ at }) => at >= since),
    () => 'since',
  )
  const count = (kind: string) => events.find((row) => row.kind === kind)?.count ?? 0
  const timeZone = timeZoneOf(c)
  const dayOf = new Intl.DateTimeFormat('en-CA', { timeZone })
  const byDay = addUp(quarters, ({ at }) => dayOf.format(at)).slice(0, 2 * FIGURE_DAYS)
  const money = (row: Figures) =>
    `${row.sales} sold for ${formatMoney(row.soldMinor, row.currency)}, ${row.refunds} refunded for ${formatMoney(row.refundedMinor, row.currency)}`
  return show(
    c,
    { title: 'Today' },
    <>
      <p>
        Since you last looked (<When at={since} />
        ):{' '}
        {recent.length === 0
          ? 'nothing sold or refunded'
          : recent.map(({ sum }) => money(sum)).join('; ')}
        ; {count('registered')} sign-ups, {count('trial_granted')} trials.
      </p>
      <h2>Alerts</h2>
      {alerts.length === 0 ? <p class="muted">None is open.</p> : null}
      {alerts.map((alert) => (
        <Alert alert={alert} />
      ))}
      <h2>What needs a decision</h2>
      {things.length + givenUp.length === 0 ? (
        <p class="muted">Nothing.</p>
      ) : (
        <Table name="What needs a decision" head={['What', 'Whose', 'State', 'Since']}>
          {things.map((thing) => (
            <Thing thing={thing} urgency={urgencyOf(ctx, thing)} now={now} />
          ))}
          {givenUp.map(({ id, kind, toAddress, userId, lastError, failedAt }) => (
            <tr>
              <td>mail given up</td>
              <td>{userId === null ? toAddress : <a href={pageOf(userId)}>{toAddress}</a>}</td>
              <td>
                {inWords(kind)}: {lastError}{' '}
                {userId === null ? null : (
                  <ActionLink
                    kind="resend_mail"
                    label="Send again"
                    target={{ user: userId, mail: id }}
                    of={toAddress}
                  />
                )}
              </td>
              <td>
                <When at={failedAt ?? 0} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      <h2>Money by day</h2>
      <p class="muted small">
        Days in the time zone {timeZone}. Money that bought nothing counts in neither.
      </p>
      <Table name="Money by day" head={['Day', 'Sold', 'Refunded']}>
        {byDay.map(({ key, sum: { sales, soldMinor, refunds, refundedMinor, currency } }) => (
          <tr>
            <td>{key}</td>
            <td>
              {formatMoney(soldMinor, currency)} ({sales})
            </td>
            <td>
              {formatMoney(refundedMinor, currency)} ({refunds})
            </td>
          </tr>
        ))}
      </Table>
    </>,
  )
}

/** Nobody has sent it again since. */
const isNotCopied = sql`NOT EXISTS (SELECT 1 FROM desk_acts a WHERE a.user_id = ${mails.userId}
  AND a.kind = 'resend_mail' AND a.subject = ${mails.id} AND a.created_at >= ${mails.failedAt})`

const COOKIE = 'admin_looks'
/** Pages that are loaded within this time are one look. */
const LOOK_MS = hours(1)

/** When this browser's admin looked before the look that goes on now. Milliseconds UTC; a day ago at first. */
function lastLook(c: Call): number {
  const { now } = c.env.ctx
  const [before = now - days(1), last = before] = (getCookie(c, COOKIE) ?? '')
    .split('.')
    .filter(Boolean)
    .map(Number)
  const isSame = now - last < LOOK_MS
  const since = isSame ? before : last
  setCookie(c, COOKIE, `${since}.${now}`, {
    path: '/admin',
    httpOnly: true,
    sameSite: 'Lax',
    maxAge: days(90) / 1_000,
  })
  return Number.isFinite(since) ? since : now - days(1)
}

const Cf = z.object({ cf: z.object({ timezone: z.string() }) })

/** The time zone of the admin's connection, as Cloudflare tells it; UTC without one. */
function timeZoneOf(c: Call): string {
  const { data } = Cf.safeParse({ cf: Reflect.get(c.req.raw, 'cf') })
  return data?.cf.timezone ?? 'UTC'
}

/** Sums of figures by a key and currency, in their order. */
function addUp(
  figures: readonly Figures[],
  keyOf: (row: Figures) => string,
): { key: string; sum: Figures }[] {
  const sums = new Map<string, { key: string; sum: Figures }>()
  for (const row of figures) {
    const key = keyOf(row)
    const { sum } = sums.get(`${key} ${row.currency}`) ?? {
      sum: { ...row, sales: 0, soldMinor: 0, refunds: 0, refundedMinor: 0 },
    }
    sum.sales += row.sales
    sum.soldMinor += row.soldMinor
    sum.refunds += row.refunds
    sum.refundedMinor += row.refundedMinor
    sums.set(`${key} ${row.currency}`, { key, sum })
  }
  return [...sums.values()]
}

/** The most urgent first: by urgency, then by deadline, then by age. */
function rankOf(ctx: Call['env']['ctx'], row: OpenRow): number {
  const urgency = ['passed', 'overdue', 'waits'].indexOf(urgencyOf(ctx, row))
  return urgency * 1e14 + (row.until ?? row.since + 1e13)
}

const Facts = z.record(z.string(), z.unknown())
/** What `/admin/find` knows. */
const ID = /^(?:(?:usr|pur|order|pay|plink|rfnd|disp|mail)_\w+|mails?-\S+)$/

const Alert = ({ alert }: { alert: typeof alarms.$inferSelect }) => {
  const { id, kind, count, firstSeenAt, lastSeenAt, fields } = alert
  const facts = Facts.parse(JSON.parse(fields))
  return (
    <section class="card stack">
      <p class="row">
        <strong>{kind}</strong>
        <span class="muted small">
          {count === 1 ? 'once' : `${count} times`}, <When at={firstSeenAt} />
          {lastSeenAt === firstSeenAt ? null : (
            <>
              {' '}
              to <When at={lastSeenAt} />
            </>
          )}
        </span>
        <ActionLink kind="acknowledge_alarm" label="Acknowledge" target={{ alert: id }} of={kind} />
      </p>
      <p>{isAlertKind(kind) ? ALERTS[kind] : 'An older version of the code raised it.'}</p>
      <p class="small muted">
        {sayFields(facts).map(([name, value]) => (
          <>
            {name}:{' '}
            {ID.test(value) ? (
              <a href={`/admin/find?q=${encodeURIComponent(value)}`}>{value}</a>
            ) : (
              value
            )}{' '}
            ·{' '}
          </>
        ))}
      </p>
    </section>
  )
}

const Thing = ({ thing, urgency, now }: { thing: OpenRow; urgency: string; now: number }) => {
  const { what, name, who, tag, text, amountMinor, currency, since, until, userId, subject } = thing
  const isSubmission = what === 'ticket' || what === 'application'
  const money = amountMinor === null || currency === null ? '' : formatMoney(amountMinor, currency)
  const left = until === null ? null : Math.ceil((until - now) / days(1))
  return (
    <tr class={urgency === 'waits' ? undefined : 'trouble'}>
      <td>
        {what}{' '}
        {isSubmission ? (
          <a href={`${LIST}/${name}`}>{name}</a>
        ) : name.startsWith('pay_') ? (
          <RazorpayLink id={name} />
        ) : (
          name
        )}
      </td>
      <td>{userId === null ? who : <a href={pageOf(userId)}>{who}</a>}</td>
      <td>
        {[inWords(tag), money, text].filter(Boolean).join(' · ')}{' '}
        {left === null ? null : (
          <Badge tone="red">{left <= 0 ? 'deadline passed' : `${left} days left`}</Badge>
        )}{' '}
        {what === 'open dispute' && userId !== null ? (
          <a class="button button-small" href={`${pageOf(userId)}?purchase=${subject}`}>
            Evidence
          </a>
        ) : null}
        {what === 'unsettled purchase' && userId !== null && subject !== null ? (
          <ActionLink
            kind="ask_provider"
            label="Ask Razorpay now"
            target={{ user: userId, purchase: subject }}
          />
        ) : null}
        {what === 'unsent mail' && userId !== null && subject !== null ? (
          <ActionLink
            kind="resend_mail"
            label="Send again"
            target={{ user: userId, mail: subject }}
          />
        ) : null}
      </td>
      <td>
        <When at={since} />
      </td>
    </tr>
  )
}
