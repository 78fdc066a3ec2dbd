import { Fragment, useLayoutEffect } from 'react'
import type { Alarm } from '../../contract/desk.ts'
import { formatAgo } from '../../lib/ago.ts'
import { formatMinute } from '../../lib/dates.ts'
import { environment } from '../../lib/environment.ts'
import { formatCount } from '../../lib/numbers.ts'
import { createResource } from '../resource/resource.ts'
import { Panel } from '../../ui/Panel.tsx'
import { stepUp } from '../factors/step-up.ts'
import { Loaded } from '../resource/Loaded.tsx'
import { ActButton } from './ActButton.tsx'
import { DeskRow } from './DeskRow.tsx'
import { IdLinks } from './links.tsx'
import { Money } from './Money.tsx'
import { Queue } from './Queue.tsx'
import { writeInstants } from './formats.ts'

const today = createResource(() => stepUp.call('GET /api/desk/today', {}))

/** Today's money, alarms and open work. */
export function Today() {
  const now = environment.clock.now()
  return (
    <Loaded resource={today} loading="Loading the day…">
      {({ alarms, days, open }) => (
        <>
          <Money days={days} now={now} />
          {alarms.length > 0 && (
            <Panel
              title={
                <>
                  Alarms <span className="desk-count">{alarms.length}</span>
                </>
              }
            >
              <ul className="rows desk-rows">
                {alarms.map((alarm) => (
                  <AlarmRow key={alarm.id} alarm={alarm} now={now} />
                ))}
              </ul>
            </Panel>
          )}
          <Queue open={open} now={now} onDone={today.load} />
          <Place />
        </>
      )}
    </Loaded>
  )
}

/** Restores the scroll position on Back, which the browser tries before the data are there. */
function Place() {
  useLayoutEffect(() => {
    const left: unknown = history.state
    if (typeof left === 'number') scrollTo(0, left)
    const keep = () => history.replaceState(scrollY, '')
    document.addEventListener('click', keep, true)
    return () => document.removeEventListener('click', keep, true)
  }, [])
  return null
}

function AlarmRow({ alarm, now }: { alarm: Alarm; now: number }) {
  const { id, kind, text, count, firstAt, lastAt, facts, ids } = alarm
  // The facts that distinguish it from others of its kind; ids are for machines.
  const own = facts.filter((fact) => !ids.some((one) => fact.includes(one)))
  return (
    <DeskRow
      subject={
        <details>
          <summary>
            <strong>{kind}</strong>{' '}
            {own.length > 0
              ? own.map((fact) => writeInstants(fact, formatMinute)).join(' · ')
              : text}
          </summary>
          {own.length > 0 && <p>{text}.</p>}
          <p className="row-note">
            {count > 1 && `${formatCount(count)} times since ${formatMinute(firstAt)}. `}
            {facts.map((fact, index) => (
              <Fragment key={fact}>
                {index > 0 && ' · '}
                <IdLinks text={writeInstants(fact, formatMinute)} ids={ids} />
              </Fragment>
            ))}
          </p>
        </details>
      }
      time={
        <>
          {count > 1 && `${formatCount(count)} times, `}
          <time dateTime={lastAt}>{formatAgo(lastAt, now)}</time>
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
    />
  )
}
