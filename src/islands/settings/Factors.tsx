import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { CallSuccess } from '../../contract/endpoint.ts'
import type { factorsEndpoint, Passkey } from '../../contract/factor.ts'
import { formatMinute } from '../../lib/dates.ts'
import { deps } from '../../stores/browser.ts'
import { createFactors } from '../../stores/factors.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { RetryNotice } from '../../ui/Notice.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { stepUp } from './step-up.ts'
import { TotpSetup } from './TotpSetup.tsx'

export type FactorsStore = ReturnType<typeof createFactors>

/** The second step of the account, and changing it. */
export default function Factors({ onChanged }: { onChanged: () => void }) {
  const [factors] = useState(() =>
    createFactors({ ...deps, confirmed: stepUp.confirmed, onChanged }),
  )
  const state = useStore(factors.$factors)
  useEffect(() => {
    void factors.load()
  }, [factors])
  if (state.status === 'failed') {
    return <RetryNotice onRetry={factors.load}>{state.message}</RetryNotice>
  }
  if (state.data === null) return <Loading>Loading…</Loading>
  return (
    <>
      <FactorRows factors={factors} data={state.data} />
      <TotpSetup factors={factors} />
      <RecoveryCodes factors={factors} />
    </>
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
  return (
    <>
      <p>
        {isOn ? (
          <>
            <Badge tone="green">On</Badge> Signing in asks for your second step, or for a passkey
            alone.
          </>
        ) : (
          'Off. With the first one, your other devices are signed out and you get recovery codes.'
        )}
      </p>
      <ul className="rows">
        <AppRow factors={factors} since={totpSince} />
        {passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} factors={factors} passkey={passkey} />
        ))}
        {isOn && (
          <li>
            <div>
              <p>Recovery codes</p>
              <p className="row-note">
                {recoveryCodesLeft} left, for when you lose everything else
              </p>
            </div>
            <Button size="small" isBusy={isBusy} onClick={() => void factors.renewCodes()}>
              Make new codes
            </Button>
          </li>
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

function AppRow({ factors, since }: { factors: FactorsStore; since: string | null }) {
  const isBusy = useStore(factors.$isBusy)
  return (
    <li>
      <div>
        <p>Authenticator app</p>
        <p className="row-note">{since === null ? 'Not set up' : `Since ${formatMinute(since)}`}</p>
      </div>
      {since === null ? (
        <Button size="small" isBusy={isBusy} onClick={() => void factors.startTotp()}>
          Set up
        </Button>
      ) : (
        <Button
          size="small"
          isBusy={isBusy}
          aria-label="Remove the authenticator app"
          onClick={() => void factors.removeTotp()}
        >
          Remove
        </Button>
      )}
    </li>
  )
}

function PasskeyRow({ factors, passkey }: { factors: FactorsStore; passkey: Passkey }) {
  const isBusy = useStore(factors.$isBusy)
  const { id, name, createdAt, lastUsedAt } = passkey
  return (
    <li>
      <div>
        <p>Passkey of {name}</p>
        <p className="row-note">
          {lastUsedAt === null
            ? `Added ${formatMinute(createdAt)}`
            : `Last used ${formatMinute(lastUsedAt)}`}
        </p>
      </div>
      <Button
        size="small"
        isBusy={isBusy}
        aria-label={`Remove the passkey of ${name}`}
        onClick={() => void factors.removePasskey(id)}
      >
        Remove
      </Button>
    </li>
  )
}
