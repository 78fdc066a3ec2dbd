import { useStore } from '@nanostores/react'
import { createRef, useEffect } from 'react'
import type { AnswerOf } from '../../contract/calls.ts'
import type { Session } from '../../contract/session.ts'
import { formatMinute } from '../../lib/dates.ts'
import { createFactors } from './factors.ts'
import { createSessionList } from './session-list.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmButton } from '../../ui/ConfirmButton.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { onDemand, useEver } from '../../ui/on-demand.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Row } from '../../ui/Row.tsx'
import { StepUp } from '../factors/StepUp.tsx'
import { Loaded } from '../resource/Loaded.tsx'
import { DataSection } from './DataSection.tsx'
import { FactorRows } from './FactorRows.tsx'
import RecoveryCodes from '../factors/RecoveryCodes.tsx'
import { PasswordRow } from './PasswordRow.tsx'
import { focusAfter } from './focus-after.ts'

/** Loads when a change begins, so that it is there when the server has answered. */
const TotpSetup = onDemand('the setup', () => import('./TotpSetup.tsx'))

const SHOWN_SIGN_INS = 10

const sessionList = createSessionList()
const onChanged = () => void sessionList.load()
/** Outlives the tab, because it has recovery codes that are shown once. */
const factors = createFactors({ onChanged })
/** Takes the focus of a button that disappeared with its row. */
const list = createRef<HTMLUListElement>()

/** The state of each part first; forms open on demand. */
export default function SecurityTab() {
  const codes = useStore(factors.$codes)
  const isUsed = useEver(useStore(factors.$isBusy))
  // A secret that was shown before the tab was left is not set up later.
  useEffect(() => factors.cancelTotp, [])
  return (
    <>
      <Panel title="How you sign in">
        <Loaded resource={factors.factors} loading="Loading…">
          {(data) => (
            <>
              {location.search.includes('recovered') && hasSecondStep(data) && (
                <Notice tone="muted">
                  You signed in with a recovery code, and {data.recoveryCodesLeft} are left. If your
                  authenticator app or your passkey is lost, remove it here and set up another. If
                  no new codes come with it, get them below.
                </Notice>
              )}
              <p>{twoSteps(data)}</p>
              <ul className="rows">
                <PasswordRow hasPassword={data.hasPassword} onChanged={onChanged} />
                <FactorRows factors={factors} data={data} />
              </ul>
              {isUsed && <TotpSetup factors={factors} />}
              {/* Codes are shown once, so they wait for no script. */}
              <RecoveryCodes codes={codes} onSaved={factors.hideCodes} />
            </>
          )}
        </Loaded>
      </Panel>
      <div className="columns">
        <SessionsSection />
        <SignInHistory />
      </div>
      <DataSection factors={factors.factors} />
      <StepUp />
    </>
  )
}

type Factors = AnswerOf<'GET /api/auth/factors'>

const hasSecondStep = ({ totpSince, passkeys }: Factors) =>
  totpSince !== null || passkeys.length > 0

function twoSteps(data: Factors): string {
  return hasSecondStep(data)
    ? 'Two-step sign-in is on: signing in takes your second step, or a passkey on its own.'
    : 'Two-step sign-in is off. A passkey or authenticator app protects you even if your password leaks. Adding the first one signs out your other devices and gives you recovery codes.'
}

function SessionsSection() {
  return (
    <Panel title="Where you are signed in">
      <Loaded resource={sessionList.sessions} loading="Loading…">
        {({ sessions }) => (
          <>
            <ul className="rows" ref={list} tabIndex={-1}>
              {sessions.map((session) => (
                <SessionRow key={session.id} session={session} />
              ))}
            </ul>
            {sessions.length > 1 && (
              <ConfirmButton
                size="small"
                label="End all other sessions"
                title="End all other sessions?"
                yes="End all other sessions"
                isDangerous
                onYes={() => focusAfter(sessionList.endOthers(), list)}
              >
                All other browsers and apps must sign in again. This one stays signed in.
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
            onClick={() => void focusAfter(sessionList.end(id), list)}
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
            {events.length === 0 && <p className="muted">No sign-ins in the last 90 days.</p>}
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
