import { Fragment } from 'react'
import { type Alarm, type DayFigures, type OpenThing, todayEndpoint } from '../../contract/desk.ts'
import { Currency } from '../../contract/catalogue.ts'
import { formatAgo, formatCalendarDay, formatMinute } from '../../lib/dates.ts'
import { formatCount, formatSum } from '../../lib/numbers.ts'
import { deps } from '../../stores/browser.ts'
import { createResource } from '../../stores/resource.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Row } from '../../ui/Row.tsx'
import { stepUp } from '../factors/StepUp.tsx'
import { Loaded } from '../resource/Loaded.tsx'
import { ActButton } from './ActButton.tsx'
import { wordsOf } from './DeskNav.tsx'
import { EvidenceLink, IdLinks, Named, pageOf } from './links.tsx'

const today = createResource(() => stepUp.call(todayEndpoint, {}))

/** What waits, by age, and the money of today and of the last thirty days. */
export function Today() {
  const now = deps.environment.clock.now()
  return (
    <Loaded resource={today} loading="Loading the day…">
      {({ alarms, days, open }) => (
        <>
          {alarms.length > 0 && (
            <Panel title="Alarms">
              <ul className="rows">
                {alarms.map((alarm) => (
                  <AlarmRow key={alarm.id} alarm={alarm} now={now} />
                ))}
              </ul>
            </Panel>
          )}
          <Money days={days} now={now} />
          <Panel title="Queue">
            {open.length === 0 && <p className="empty">Nothing waits.</p>}
            <ul className="rows">
              {open.map((thing) => (
                <OpenRow key={`${thing.what} ${thing.name}`} thing={thing} now={now} />
              ))}
            </ul>
          </Panel>
        </>
      )}
    </Loaded>
  )
}

function AlarmRow({ alarm, now }: { alarm: Alarm; now: number }) {
  const { id, kind, text, count, firstAt, lastAt, facts, ids } = alarm
  return (
    <Row
      note={
        <>
          {count === 1
            ? 'once, '
            : `${formatCount(count)} times since ${formatMinute(firstAt)}, last `}
          <time dateTime={lastAt}>{formatAgo(lastAt, now)}</time>
          {facts.map((fact) => (
            <Fragment key={fact}>
              {' · '}
              <IdLinks text={fact} ids={ids} />
            </Fragment>
          ))}
        </>
      }
      action={
        <ActButton
          label="Acknowledge"
          of={kind}
          act={() => ({ kind: 'acknowledge_alarm', alarmId: id })}
          onDone={today.load}
        />
      }
      more={text}
    >
      <Badge tone="red">alarm</Badge> {kind}
    </Row>
  )
}

function Money({ days, now }: { days: readonly DayFigures[]; now: number }) {
  const isoDay = new Date(now).toISOString().slice(0, 10)
  return (
    <Panel title="Money">
      <div className="table-scroll" tabIndex={0} role="region" aria-label="Sales and refunds">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">When</th>
              {['Sales', 'Sold', 'Of which refunded'].map((name) => (
                <th key={name} scope="col" className="num">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Currency.options.map((currency) => {
              const own = days.filter((day) => day.currency === currency)
              const ofToday = own.filter(({ day }) => day === isoDay)
              return (
                <Fragment key={currency}>
                  <Figures when="Today" currency={currency} days={ofToday} />
                  <Figures when="30 days" currency={currency} days={own} />
                </Fragment>
              )
            })}
          </tbody>
        </table>
      </div>
      <details className="chart-table">
        <summary>Show each day</summary>
        <div className="table-scroll" tabIndex={0} role="region" aria-label="Each day">
          <table className="table">
            <tbody>
              {days.map((figures) => (
                <Figures
                  key={`${figures.day} ${figures.currency}`}
                  when={formatCalendarDay(figures.day)}
                  currency={figures.currency}
                  days={[figures]}
                />
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </Panel>
  )
}

interface FiguresProps {
  when: string
  currency: Currency
  days: readonly DayFigures[]
}

function Figures({ when, currency, days }: FiguresProps) {
  const sum = (of: (day: DayFigures) => number) => days.reduce((total, day) => total + of(day), 0)
  const sold = sum(({ soldMinor }) => soldMinor)
  const refunded = sum(({ refundedMinor }) => refundedMinor)
  return (
    <tr>
      <th scope="row">
        {when}, {currency}
      </th>
      <td className="num">{formatCount(sum(({ sales }) => sales))}</td>
      <td className="num">{formatSum(sold, currency)}</td>
      <td className="num">{formatSum(refunded, currency)}</td>
    </tr>
  )
}

function OpenRow({ thing, now }: { thing: OpenThing; now: number }) {
  const { what, name, note, since, until, urgency, userId } = thing
  return (
    <Row
      note={
        <>
          {/* The reason of a debt is a word of ours. */}
          {note === '' ? '' : `${what === 'owed refund' ? wordsOf(note) : note} · `}
          <time dateTime={since}>{formatAgo(since, now)}</time>
          {until !== null &&
            ` · ${urgency === 'passed' ? 'the time to answer was over' : 'answer before'} ${formatMinute(until)}`}
          {what === 'open dispute' && <EvidenceLink disputeId={name} />}
        </>
      }
    >
      <Badge tone={urgency === 'waits' ? 'orange' : 'red'}>{what}</Badge>{' '}
      {urgency !== 'waits' && <Badge tone="red">{urgency}</Badge>}{' '}
      <Named page={pageOf(what, name, userId)} name={name} />
    </Row>
  )
}
