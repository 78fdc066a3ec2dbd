import { useStore } from '@nanostores/react'
import { useState } from 'react'
import type { CallSuccess } from '../../contract/endpoint.ts'
import type { factorsEndpoint } from '../../contract/factor.ts'
import { formatMinute } from '../../lib/dates.ts'
import { deps } from '../../stores/browser.ts'
import { createFactors, type Factors as FactorsStore } from '../../stores/factors.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Row } from '../../ui/Row.tsx'
import { stepUp } from '../factors/StepUp.tsx'
import { Loaded } from '../resource/Loaded.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { TotpSetup } from './TotpSetup.tsx'

/** The second step of the account, and changing it. */
export default function Factors({ onChanged }: { onChanged: () => void }) {
  const [factors] = useState(() => createFactors({ ...deps, call: stepUp.call, onChanged }))
  return (
    <Loaded resource={factors.factors} loading="Loading…">
      {(data) => (
        <>
          <FactorRows factors={factors} data={data} />
          <TotpSetup factors={factors} />
          <RecoveryCodes factors={factors} />
        </>
      )}
    </Loaded>
  )
}

interface Props {
  factors: FactorsStore
  data: CallSuccess<typeof factorsEndpoint>
}

function FactorRows({ factors, data }: Props) {
  const isBusy = useStore(factors.$isBusy)
  const { totpSince, passkeys, recoveryCodesLeft } = data
  const isOn = totpSince !== null || passkeys.length > 0
  const small = { size: 'small', isBusy } as const
  return (
    <>
      <p>
        {isOn ? (
          <>
            <Badge tone="green">On</Badge> Signing in asks for your second step, or for a passkey
            alone.
          </>
        ) : (
          'Off. Turning this on signs out your other devices and gives you recovery codes.'
        )}
      </p>
      <ul className="rows">
        <Row
          note={totpSince === null ? 'Not set up' : `Since ${formatMinute(totpSince)}`}
          action={
            totpSince === null ? (
              <Button {...small} onClick={() => void factors.startTotp()}>
                Set up
              </Button>
            ) : (
              <Button
                {...small}
                aria-label="Remove the authenticator app"
                onClick={() => void factors.removeTotp()}
              >
                Remove
              </Button>
            )
          }
        >
          Authenticator app
        </Row>
        {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
          <Row
            key={id}
            note={
              lastUsedAt === null
                ? `Added ${formatMinute(createdAt)}`
                : `Last used ${formatMinute(lastUsedAt)}`
            }
            action={
              <Button
                {...small}
                aria-label={`Remove the passkey of ${name}`}
                onClick={() => void factors.removePasskey(id)}
              >
                Remove
              </Button>
            }
          >
            {`Passkey of ${name}`}
          </Row>
        ))}
        {isOn && (
          <Row
            note={`${String(recoveryCodesLeft)} left, for when you lose everything else`}
            action={
              <Button {...small} onClick={() => void factors.renewCodes()}>
                Make new codes
              </Button>
            }
          >
            Recovery codes
          </Row>
        )}
      </ul>
      <div className="form-actions">
        <Button isBusy={isBusy} onClick={() => void factors.addPasskey()}>
          Add a passkey
        </Button>
      </div>
    </>
  )
}
