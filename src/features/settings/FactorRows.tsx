import { useStore } from '@nanostores/react'
import { useRef } from 'react'
import type { AnswerOf } from '../../contract/calls.ts'
import { formatMinute } from '../../lib/dates.ts'
import type { Factors } from './factors.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmButton } from '../../ui/ConfirmButton.tsx'
import { Row } from '../../ui/Row.tsx'
import { focusAfter } from './focus-after.ts'
import { PasskeyRow } from './PasskeyRow.tsx'

interface Props {
  factors: Factors
  data: AnswerOf<'GET /api/auth/factors'>
}

/** What the removal of the only app or passkey does besides. */
const LAST_STEP =
  'It is your only second step: two-step sign-in is off then, and your recovery codes no longer work.'

/** The authenticator app, the passkeys and the recovery codes, each with its state and what can be done. */
export function FactorRows({ factors, data }: Props) {
  const isBusy = useStore(factors.$isBusy)
  const add = useRef<HTMLButtonElement>(null)
  const { totpSince, passkeys, recoveryCodesLeft } = data
  const hasTotp = totpSince !== null
  const hasPasskeys = passkeys.length > 0
  const small = { size: 'small', isBusy } as const
  return (
    <>
      <Row
        note={hasTotp ? `Since ${formatMinute(totpSince)}` : 'Not set up'}
        action={
          hasTotp ? (
            <ConfirmButton
              size="small"
              label="Remove"
              of="the authenticator app"
              title="Remove the authenticator app?"
              yes="Remove"
              isDangerous
              onYes={() => focusAfter(factors.removeTotp(), add)}
            >
              Signing in no longer asks for its code. {!hasPasskeys && LAST_STEP}
            </ConfirmButton>
          ) : (
            <Button
              {...small}
              aria-label="Set up the authenticator app"
              onClick={() => void factors.startTotp()}
            >
              Set up
            </Button>
          )
        }
      >
        Authenticator app {hasTotp && <Badge tone="green">On</Badge>}
      </Row>
      <Row
        note={hasPasskeys ? `${passkeys.length} added` : 'None'}
        action={
          <Button {...small} ref={add} onClick={() => void factors.addPasskey()}>
            Add a passkey
          </Button>
        }
      >
        Passkeys {hasPasskeys && <Badge tone="green">On</Badge>}
      </Row>
      {passkeys.map((passkey) => (
        <PasskeyRow
          key={passkey.id}
          passkey={passkey}
          onRenamed={factors.follow}
          onRemove={() => focusAfter(factors.removePasskey(passkey.id), add)}
          loses={!hasTotp && passkeys.length === 1 ? LAST_STEP : ''}
        />
      ))}
      <Row
        note={
          hasTotp || hasPasskeys
            ? `${recoveryCodesLeft} left`
            : 'You get them with your first passkey or authenticator app'
        }
        action={
          (hasTotp || hasPasskeys) && (
            <ConfirmButton
              size="small"
              label="Get new codes"
              title="Get new codes?"
              yes="Get new codes"
              onYes={factors.renewCodes}
            >
              The old ones stop working.
            </ConfirmButton>
          )
        }
      >
        Recovery codes
      </Row>
    </>
  )
}
