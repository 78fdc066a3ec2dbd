import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { checkPassword } from '../../contract/password.ts'
import type { Session } from '../../contract/session.ts'
import { formatMinute } from '../../lib/dates.ts'
import { deps } from '../../stores/browser.ts'
import { createPasswordChange } from '../../stores/password-change.ts'
import { createSessionList } from '../../stores/session-list.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmButton } from '../../ui/ConfirmButton.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { Row } from '../../ui/Row.tsx'
import { StepUp, stepUp } from '../factors/StepUp.tsx'
import { Problem, useForm } from '../form/use-form.tsx'
import { Loaded } from '../resource/Loaded.tsx'
import { DataSection } from './DataSection.tsx'

const Factors = onDemand(
  'your second step',
  () => import('./Factors.tsx'),
  <Loading>Loading…</Loading>,
)

const SHOWN_SIGN_INS = 10

const sessionList = createSessionList({ ...deps, call: stepUp.call })
const passwordChange = createPasswordChange({ ...deps, onChanged: () => void sessionList.load() })

export default function SecurityTab() {
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
  const { state, bind, frame, submit } = useForm(passwordChange)
  const { newPassword } = state.values
  return (
    <Panel title="Change password">
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
          <Button {...submit} busyLabel="Saving…">
            Change password
          </Button>
        </div>
      </form>
    </Panel>
  )
}

/** Its script loads when the user opens it. */
function FactorsSection() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Panel title="Two-step sign-in">
      <p>A passkey or authenticator app protects you even if your password leaks.</p>
      {isOpen ? (
        <Factors onChanged={() => void sessionList.load()} />
      ) : (
        <div className="form-actions">
          <Button onClick={() => setIsOpen(true)}>Manage</Button>
        </div>
      )}
    </Panel>
  )
}

function SessionsSection() {
  return (
    <Panel title="Where you are signed in">
      <Loaded resource={sessionList.sessions} loading="Loading…">
        {({ sessions }) => (
          <>
            <ul className="rows">
              {sessions.map((session) => (
                <SessionRow key={session.id} session={session} />
              ))}
            </ul>
            {sessions.length > 1 && (
              <ConfirmButton
                label="End all other sessions"
                title="End all other sessions?"
                yes="End all other sessions"
                isDangerous
                onYes={sessionList.endOthers}
              >
                Every other browser and desktop app has to sign in again. This one stays signed in.
              </ConfirmButton>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  )
}

function SessionRow({
  session: { id, device, kind, lastUsedAt, isCurrent },
}: {
  session: Session
}) {
  const ending = useStore(sessionList.$ending)
  return (
    <Row
      note={`${kind === 'desktop' ? 'Desktop app' : 'Browser'} · last used ${formatMinute(lastUsedAt)}`}
      action={
        !isCurrent && (
          <Button
            size="small"
            isBusy={ending === id}
            busyLabel="Ending…"
            aria-label={`End the session on ${device}`}
            onClick={() => void sessionList.end(id)}
          >
            End
          </Button>
        )
      }
    >
      {device} {isCurrent && <Badge tone="green">This device</Badge>}
    </Row>
  )
}

/** Successful and failed sign-ins, newest first. */
function SignInHistory() {
  return (
    <Panel title="Sign-in history">
      <Loaded resource={sessionList.history} loading="Loading…">
        {({ events }) => (
          <>
            {events.length === 0 && <p className="empty">No sign-ins in the last 90 days.</p>}
            <ul className="rows">
              {events.slice(0, SHOWN_SIGN_INS).map(({ id, text, createdAt }) => (
                <Row key={id} note={formatMinute(createdAt)}>
                  {text}
                </Row>
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </Panel>
  )
}
