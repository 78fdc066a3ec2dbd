import { useStore } from '@nanostores/react'
import { Fragment, useEffect } from 'react'
import type { Alarm, DayFigures, OpenThing } from '../../contract/desk.ts'
import { formatAgo, formatCalendarDay, formatMinute } from '../../lib/dates.ts'
import { formatCount, formatSum } from '../../lib/numbers.ts'
import { deps } from '../../stores/browser.ts'
import { createToday } from '../../stores/desk.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { RetryNotice } from '../../ui/Notice.tsx'
import { stepUp } from '../settings/step-up.ts'
import { ActButton } from './ActButton.tsx'
import { wordsOf } from './DeskNav.tsx'
import { IdLinks } from './IdLinks.tsx'

const store = createToday({ ...deps, confirmed: stepUp.confirmed })

/** What waits, by age, and the money of today and of the last thirty days. */
export function Today() {
  const state = useStore(store.$resource)
  useEffect(() => {
    void store.load()
  }, [])
  if (state.status === 'failed') {
    return <RetryNotice onRetry={store.load}>{state.message}</RetryNotice>
  }
  if (state.data === null) return <Loading>Loading the day…</Loading>
  return (
    <>
      <Alarms alarms={state.data.alarms} />
      <Money days={state.data.days} />
      <Open things={state.data.open} />
    </>
  )
}

function Alarms({ alarms }: { alarms: readonly Alarm[] }) {
  const now = deps.environment.clock.now()
  if (alarms.length === 0) return null
  return (
    <section className="card panel" aria-labelledby="alarms-title">
      <h2 id="alarms-title">Alarms</h2>
      <ul className="rows">
        {alarms.map(({ id, kind, text, count, firstAt, lastAt, facts, ids }) => (
          <li key={id}>
            <div>
              <p>
                <Badge tone="red">alarm</Badge> {kind}
              </p>
              <p className="row-note">
                {count === 1 ? 'once, ' : `${formatCount(count)} times since `}
                {count === 1 ? '' : `${formatMinute(firstAt)}, last `}
                <time dateTime={lastAt}>{formatAgo(lastAt, now)}</time>
                {facts.map((fact) => (
                  <Fragment key={fact}>
                    {' · '}
                    <IdLinks text={fact} ids={ids} />
                  </Fragment>
                ))}
              </p>
              <p className="row-note">{text}</p>
            </div>
            <ActButton
              label="Acknowledge"
              of={kind}
              act={{ kind: 'acknowledge_alarm', alarmId: id }}
              onDone={store.load}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

const CURRENCIES = ['USD', 'INR'] as const

function Money({ days }: { days: readonly DayFigures[] }) {
  const today = new Date(deps.environment.clock.now()).toISOString().slice(0, 10)
  return (
    <section className="card panel" aria-labelledby="money-title">
      <h2 id="money-title">Money</h2>
      <div className="table-scroll" tabIndex={0} role="region" aria-label="Sales and refunds">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col" className="num">
                Sales
              </th>
              <th scope="col" className="num">
                Sold
              </th>
              <th scope="col" className="num">
                Refunded of it
              </th>
            </tr>
          </thead>
          <tbody>
            {CURRENCIES.map((currency) => {
              const own = days.filter((day) => day.currency === currency)
              const ofToday = own.filter(({ day }) => day === today)
              return [
                <Figures key={`today ${currency}`} when={`Today, ${currency}`} days={ofToday} />,
                <Figures key={`month ${currency}`} when={`30 days, ${currency}`} days={own} />,
              ]
            })}
          </tbody>
        </table>
      </div>
      <details className="chart-table">
        <summary>Show each day</summary>
        <div className="table-scroll" tabIndex={0} role="region" aria-label="Each day">
          <table className="table">
            <tbody>
              {days.map((day) => (
                <Figures
                  key={`${day.day} ${day.currency}`}
                  when={`${formatCalendarDay(day.day)}, ${day.currency}`}
                  days={[day]}
                />
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  )
}

function Figures({ when, days }: { when: string; days: readonly DayFigures[] }) {
  const currency = when.endsWith('INR') ? 'INR' : 'USD'
  const sum = (of: (day: DayFigures) => number) => days.reduce((total, day) => total + of(day), 0)
  return (
    <tr>
      <th scope="row">{when}</th>
      <td className="num">{formatCount(sum(({ sales }) => sales))}</td>
      <td className="num">
        {formatSum(
          sum(({ soldMinor }) => soldMinor),
          currency,
        )}
      </td>
      <td className="num">
        {formatSum(
          sum(({ refundedMinor }) => refundedMinor),
          currency,
        )}
      </td>
    </tr>
  )
}

/** The page of what waits; null when it has none. */
function pageOf({ what, name, userId }: OpenThing): string | null {
  if (what === 'ticket' || what === 'application') return `/desk?${what}=${name.slice(2)}`
  return userId === null ? null : `/desk?user=${userId}`
}

function Open({ things }: { things: readonly OpenThing[] }) {
  const now = deps.environment.clock.now()
  return (
    <section className="card panel" aria-labelledby="open-title">
      <h2 id="open-title">What waits</h2>
      {things.length === 0 && <p className="empty">Nothing waits.</p>}
      <ul className="rows">
        {things.map((thing) => (
          <Waiting key={`${thing.what} ${thing.name}`} thing={thing} now={now} />
        ))}
      </ul>
    </section>
  )
}

function Waiting({ thing, now }: { thing: OpenThing; now: number }) {
  const { what, name, note, since, until, urgency } = thing
  const page = pageOf(thing)
  return (
    <li>
      <div>
        <p>
          <Badge tone={urgency === 'waits' ? 'orange' : 'red'}>{what}</Badge>{' '}
          {urgency !== 'waits' && <Badge tone="red">{urgency}</Badge>}{' '}
          {page === null ? name : <a href={page}>{name}</a>}
        </p>
        <p className="row-note">
          {/* The reason of a debt is a word of ours. */}
          {note === '' ? '' : `${what === 'owed refund' ? wordsOf(note) : note} · `}
          <time dateTime={since}>{formatAgo(since, now)}</time>
          {until !== null &&
            ` · ${urgency === 'passed' ? 'the time to answer was over' : 'answer before'} ${formatMinute(until)}`}
          {what === 'open dispute' && (
            <>
              {' · '}
              <a href={`/desk?dispute=${name}`}>Evidence</a>
            </>
          )}
        </p>
      </div>
    </li>
  )
}
