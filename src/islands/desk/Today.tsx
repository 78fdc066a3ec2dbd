import { Fragment } from 'react'
import { type Alarm, todayEndpoint } from '../../contract/desk.ts'
import { formatAgo, formatMinute } from '../../lib/dates.ts'
import { formatCount } from '../../lib/numbers.ts'
import { deps } from '../../stores/browser.ts'
import { createResource } from '../../stores/resource.ts'
import { Panel } from '../../ui/Panel.tsx'
import { stepUp } from '../factors/StepUp.tsx'
import { Loaded } from '../resource/Loaded.tsx'
import { ActButton } from './ActButton.tsx'
import { DeskRow } from './DeskRow.tsx'
import { IdLinks } from './links.tsx'
import { Money } from './Money.tsx'
import { Queue } from './Queue.tsx'

const today = createResource(() => stepUp.call(todayEndpoint, {}))

/** The money of today, what is wrong, and what waits. */
export function Today() {
  const now = deps.environment.clock.now()
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
        </>
      )}
    </Loaded>
  )
}

function AlarmRow({ alarm, now }: { alarm: Alarm; now: number }) {
  const { id, kind, text, count, firstAt, lastAt, facts, ids } = alarm
  return (
    <DeskRow
      subject={
        <details>
          <summary>
            <strong>{kind}</strong> {text}
          </summary>
          <p className="row-note">
            {count > 1 && `${formatCount(count)} times since ${formatMinute(firstAt)}. `}
            {facts.map((fact, index) => (
              <Fragment key={fact}>
                {index > 0 && ' · '}
                <IdLinks text={fact} ids={ids} />
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
