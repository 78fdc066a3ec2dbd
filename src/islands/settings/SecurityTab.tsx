import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { PASSWORD_CHECKLIST } from '../../contract/password.ts'
import type { Session } from '../../contract/session.ts'
import { formatMinute } from '../../lib/dates.ts'
import { deps } from '../../stores/browser.ts'
import { createPasswordChange } from '../../stores/password-change.ts'
import { createSignInPlaces } from '../../stores/sign-in-places.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PasswordChecklist } from '../../ui/PasswordChecklist.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { Question } from '../../ui/Question.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { Problem } from '../form/Problem.tsx'
import { useForm } from '../form/use-form.ts'
import { DataSection } from './DataSection.tsx'

const SHOWN_SIGN_INS = 10

const places = createSignInPlaces(deps)
const passwordChange = createPasswordChange({ ...deps, onChanged: () => void places.load() })

export default function SecurityTab() {
  useEffect(() => {
    void places.load()
  }, [])
  return (
    <>
      <PasswordSection />
      <SessionsSection />
      <SignInHistory />
      <DataSection />
    </>
  )
}

function PasswordSection() {
  const { state, bind, frame } = useForm(passwordChange)
  const rules = PASSWORD_CHECKLIST.map(({ id, label, holds }) => ({
    id,
    label,
    holds: holds(state.values.newPassword),
  }))
  return (
    <section className="card panel" aria-labelledby="password-title">
      <h2 id="password-title">Change password</h2>
      <form {...frame} className="form form-narrow">
        <Problem text={state.problem} />
        <PasswordField
          {...bind('currentPassword')}
          label="Current password"
          autoComplete="current-password"
        />
        <PasswordField
          {...bind('newPassword')}
          label="New password"
          autoComplete="new-password"
          below={state.values.newPassword !== '' && <PasswordChecklist rules={rules} />}
        />
        <p className="field-hint">Your other devices are signed out.</p>
        <div className="form-actions">
          <Button type="submit" look="primary" isBusy={state.isSubmitting} busyLabel="Saving…">
            Change password
          </Button>
        </div>
      </form>
    </section>
  )
}

function SessionsSection() {
  const state = useStore(places.$places)
  const sessions = state.data?.sessions ?? []
  return (
    <section className="card panel" aria-labelledby="sessions-title">
      <h2 id="sessions-title">Where you are signed in</h2>
      {state.data === null && state.status === 'loading' && <Loading>Loading…</Loading>}
      {state.status === 'failed' && <Notice tone="error">{state.message}</Notice>}
      <ul className="rows">
        {sessions.map((place) => (
          <SessionRow key={place.id} place={place} />
        ))}
      </ul>
      {sessions.length > 1 && <EndOthers />}
    </section>
  )
}

function SessionRow({ place }: { place: Session }) {
  const ending = useStore(places.$ending)
  return (
    <li>
      <div>
        <p>
          {place.device} {place.isCurrent && <Badge tone="green">This device</Badge>}
        </p>
        <p className="row-note">
          {place.kind === 'desktop' ? 'Desktop app' : 'Browser'} · last used{' '}
          {formatMinute(place.lastUsedAt)}
        </p>
      </div>
      {!place.isCurrent && (
        <Button
          size="small"
          isBusy={ending === place.id}
          busyLabel="Ending…"
          aria-label={`End the session on ${place.device}`}
          onClick={() => void places.end(place.id)}
        >
          End
        </Button>
      )}
    </li>
  )
}

/** Ends every session but this one, after a question. */
function EndOthers() {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Button
        onClick={() => {
          setIsAsking(true)
        }}
      >
        End all other sessions
      </Button>
      <Question
        title="End all other sessions?"
        isOpen={isAsking}
        yes="End all other sessions"
        isDangerous
        onYes={places.endOthers}
        onClose={() => {
          setIsAsking(false)
        }}
      >
        Every other browser and desktop app has to sign in again. This one stays signed in.
      </Question>
    </>
  )
}

/** Successful and failed sign-ins, newest first. */
function SignInHistory() {
  const state = useStore(places.$history)
  const events = state.data?.events ?? []
  return (
    <section className="card panel" aria-labelledby="history-title">
      <h2 id="history-title">Sign-in history</h2>
      {state.status === 'failed' && <Notice tone="error">{state.message}</Notice>}
      {state.status === 'ready' && events.length === 0 && (
        <p className="empty">No sign-ins in the last 90 days.</p>
      )}
      <ul className="rows">
        {events.slice(0, SHOWN_SIGN_INS).map((event) => (
          <li key={event.id}>
            <div>
              <p>{event.text}</p>
              <p className="row-note">{formatMinute(event.createdAt)}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
