import { useState } from 'react'
import { ANNOUNCEMENT_MAX } from '../../contract/announcement.ts'
import { formatMinute } from '../../lib/dates.ts'
import { createResource } from '../resource/resource.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Row } from '../../ui/Row.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { stepUp } from '../factors/step-up.ts'
import { Loaded } from '../resource/Loaded.tsx'
import { ActButton } from './ActButton.tsx'

const switches = createResource(() => stepUp.call('GET /api/desk/switches', {}))

/** Changes without a deployment: the announcement, the trial, the sales. */
export default function Switches() {
  return (
    <Loaded resource={switches} loading="Loading the switches…">
      {({ announcement, isTrialOn, areSalesOn }) => (
        <>
          <Panel title="Announcement">
            {announcement === null ? (
              <p className="empty">Nothing is announced.</p>
            ) : (
              <>
                <p className="desk-words">{announcement.text}</p>
                <p className="row-note">
                  {announcement.until === null
                    ? 'Until you end it here.'
                    : `Until ${formatMinute(announcement.until)}.`}
                </p>
                <ActButton
                  label="End the announcement"
                  act={() => ({ kind: 'end_announcement' })}
                  onDone={switches.load}
                />
              </>
            )}
            <Announce />
          </Panel>
          <Panel title="Switches">
            <ul className="rows">
              <Switch
                name="sales"
                title="Purchases"
                note="While this is off, the checkout says that purchases are paused. Payments that arrive are still settled."
                isOn={areSalesOn}
              />
              <Switch
                name="trial"
                title="Trial"
                note="While this is off, verifying an address brings no tokens to try the app."
                isOn={isTrialOn}
              />
            </ul>
          </Panel>
        </>
      )}
    </Loaded>
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
    <Row
      note={note}
      action={
        <ActButton
          label={`Switch ${title.toLowerCase()} ${isOn ? 'off' : 'on'}`}
          act={() => ({ kind: 'switch', name, isOn: !isOn })}
          onDone={switches.load}
        />
      }
    >
      {title} <Badge tone={isOn ? 'green' : 'red'}>{isOn ? 'on' : 'off'}</Badge>
    </Row>
  )
}

function Announce() {
  const [text, setText] = useState('')
  const [until, setUntil] = useState('')
  return (
    <div className="form desk-form">
      <TextField
        id="announcement"
        name="announcement"
        label="Message"
        hint={`At most ${String(ANNOUNCEMENT_MAX)} characters. Shown at the bottom of every page until dismissed.`}
        autoComplete="off"
        value={text}
        onValue={setText}
      />
      <TextField
        id="until"
        name="until"
        label="Until"
        hint="In your own time zone."
        isOptional
        type="datetime-local"
        value={until}
        onValue={setUntil}
      />
      <div className="row form-actions">
        <ActButton
          label="Publish"
          act={() => ({
            kind: 'announce',
            text,
            until: until === '' ? null : new Date(until).toISOString(),
          })}
          onDone={() => {
            setText('')
            setUntil('')
            return switches.load()
          }}
        />
      </div>
    </div>
  )
}
