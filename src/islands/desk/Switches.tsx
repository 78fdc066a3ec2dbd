import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { ANNOUNCEMENT_MAX } from '../../contract/announcement.ts'
import { formatMinute } from '../../lib/dates.ts'
import { deps } from '../../stores/browser.ts'
import { createSwitches } from '../../stores/desk-inbox.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Field } from '../../ui/Field.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { RetryNotice } from '../../ui/Notice.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { stepUp } from '../settings/step-up.ts'
import { ActButton } from './ActButton.tsx'

const store = createSwitches({ ...deps, confirmed: stepUp.confirmed })

/** What operators change without a deployment: the announcement, the trial, the sales. */
export function Switches() {
  const resource = useStore(store.$resource)
  useEffect(() => {
    void store.load()
  }, [])
  if (resource.status === 'failed') {
    return <RetryNotice onRetry={store.load}>{resource.message}</RetryNotice>
  }
  if (resource.data === null) return <Loading>Loading the switches…</Loading>
  const { announcement, isTrialOn, areSalesOn } = resource.data
  return (
    <>
      <section className="card panel" aria-labelledby="announcement-title">
        <h2 id="announcement-title">Announcement</h2>
        {announcement === null ? (
          <p className="empty">Nothing is announced.</p>
        ) : (
          <>
            <p className="desk-words">{announcement.text}</p>
            <p className="row-note">
              {announcement.until === null
                ? 'Until it is ended here.'
                : `Until ${formatMinute(announcement.until)}.`}
            </p>
            <ActButton
              label="End the announcement"
              act={{ kind: 'end_announcement' }}
              onDone={store.load}
            />
          </>
        )}
        <Announce />
      </section>
      <section className="card panel" aria-labelledby="switches-title">
        <h2 id="switches-title">Switches</h2>
        <ul className="rows">
          <Switch
            name="sales"
            title="Purchases"
            note="While this is off, the checkout says that the shop is being worked on. What is paid is settled all the same."
            isOn={areSalesOn}
          />
          <Switch
            name="trial"
            title="Trial"
            note="While this is off, proving an address brings no tokens to try the app."
            isOn={isTrialOn}
          />
        </ul>
      </section>
    </>
  )
}

interface SwitchProps {
  name: 'sales' | 'trial'
  title: string
  note: string
  isOn: boolean
}

function Switch({ name, title, note, isOn }: SwitchProps) {
  return (
    <li>
      <div>
        <p>
          {title} <Badge tone={isOn ? 'green' : 'red'}>{isOn ? 'on' : 'off'}</Badge>
        </p>
        <p className="row-note">{note}</p>
      </div>
      <ActButton
        label={`Switch ${title.toLowerCase()} ${isOn ? 'off' : 'on'}`}
        act={{ kind: 'switch', name, isOn: !isOn }}
        onDone={store.load}
      />
    </li>
  )
}

function Announce() {
  const [text, setText] = useState('')
  const [until, setUntil] = useState('')
  const end = until === '' ? null : new Date(until).toISOString()
  return (
    <div className="form desk-form">
      <TextField
        id="announcement"
        name="announcement"
        label="What everybody should know"
        hint={`At most ${String(ANNOUNCEMENT_MAX)} characters. It stands at the foot of every page until its reader closes it.`}
        autoComplete="off"
        value={text}
        onValue={setText}
      />
      <Field id="until" label="Until" isOptional hint="In your own time zone.">
        <input
          className="input"
          id="until"
          type="datetime-local"
          value={until}
          onChange={(event) => {
            setUntil(event.target.value)
          }}
        />
      </Field>
      <div className="form-actions">
        <ActButton
          key={`${text} ${until}`}
          label="Announce it"
          act={{ kind: 'announce', text, until: end }}
          onDone={() => {
            setText('')
            setUntil('')
            return store.load()
          }}
        />
      </div>
    </div>
  )
}
