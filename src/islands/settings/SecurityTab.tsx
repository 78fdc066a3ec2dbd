import { useStore } from '@nanostores/react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { checkPassword } from '../../contract/password.ts'
import type { Session } from '../../contract/session.ts'
import { formatMinute } from '../../lib/dates.ts'
import { loadPart } from '../../lib/load-part.ts'
import { deps } from '../../stores/browser.ts'
import { createPasswordChange } from '../../stores/password-change.ts'
import { createSessionList } from '../../stores/session-list.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmButton } from '../../ui/ConfirmButton.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { Problem } from '../form/Problem.tsx'
import { useForm } from '../form/use-form.ts'
import { DataSection } from './DataSection.tsx'
import { stepUp } from './step-up.ts'
import { StepUp } from './StepUp.tsx'

const Factors = lazy(() => loadPart(() => import('./Factors.tsx')))

const SHOWN_SIGN_INS = 10

const sessionList = createSessionList({ ...deps, confirmed: stepUp.confirmed })
const passwordChange = createPasswordChange({ ...deps, onChanged: () => void sessionList.load() })

export default function SecurityTab() {
  useEffect(() => {
    void sessionList.load()
  }, [])
  return (
    <>
      <PasswordSection />
      <FactorsSection />
      <SessionsSection />
      <SignInHistory />
      <DataSection />
      <StepUp />
    </>
  )
}

function PasswordSection() {
  const { state, bind, frame } = useForm(passwordChange)
  const { newPassword } = state.values
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
          rules={newPassword === '' ? undefined : checkPassword(newPassword)}
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

/** Its script loads when the user opens it. */
function FactorsSection() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <section className="card panel" aria-labelledby="factors-title">
      <h2 id="factors-title">Two-step sign-in</h2>
      <p>Passkeys, or codes of an authenticator app, keep others out who know your password.</p>
      {isOpen ? (
        <Suspense fallback={<Loading>Loading…</Loading>}>
          <Factors onChanged={() => void sessionList.load()} />
        </Suspense>
      ) : (
        <div className="form-actions">
          <Button
            onClick={() => {
              setIsOpen(true)
            }}
          >
            Show and change
          </Button>
        </div>
      )}
    </section>
  )
}

function SessionsSection() {
  const state = useStore(sessionList.$sessions)
  const sessions = state.data?.sessions ?? []
  return (
    <section className="card panel" aria-labelledby="sessions-title">
      <h2 id="sessions-title">Where you are signed in</h2>
      {state.data === null && state.status === 'loading' && <Loading>Loading…</Loading>}
      {state.status === 'failed' && <Notice tone="error">{state.message}</Notice>}
      <ul className="rows">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      {sessions.length > 1 && <EndOthers />}
    </section>
  )
}

function SessionRow({ session }: { session: Session }) {
  const ending = useStore(sessionList.$ending)
  return (
    <li>
      <div>
        <p>
          {session.device} {session.isCurrent && <Badge tone="green">This device</Badge>}
        </p>
        <p className="row-note">
          {session.kind === 'desktop' ? 'Desktop app' : 'Browser'} · last used{' '}
          {formatMinute(session.lastUsedAt)}
        </p>
      </div>
      {!session.isCurrent && (
        <Button
          size="small"
          isBusy={ending === session.id}
          busyLabel="Ending…"
          aria-label={`End the session on ${session.device}`}
          onClick={() => void sessionList.end(session.id)}
        >
          End
        </Button>
      )}
    </li>
  )
}

function EndOthers() {
  return (
    <ConfirmButton
      label="End all other sessions"
      title="End all other sessions?"
      yes="End all other sessions"
      isDangerous
      onYes={sessionList.endOthers}
    >
      Every other browser and desktop app has to sign in again. This one stays signed in.
    </ConfirmButton>
  )
}

/** Successful and failed sign-ins, newest first. */
function SignInHistory() {
  const state = useStore(sessionList.$history)
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
