import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { deps } from '../../stores/browser.ts'
import type { DeviceState } from '../../stores/device-confirmation.ts'
import { createDeviceConfirmation, groupCode } from '../../stores/device-confirmation.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { StatusCard } from '../../ui/StatusCard.tsx'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { Problem } from '../form/Problem.tsx'
import { useForm } from '../form/use-form.ts'

const device = createDeviceConfirmation(deps)

interface Props {
  /** The address that brings the app to the front once it is let in. It carries nothing: the app polls. */
  appUrl: string
}

/** /device: lets a desktop app sign in to this account. */
export default function Device({ appUrl }: Props) {
  useEffect(() => {
    void device.prefill()
  }, [])
  return (
    <ErrorBoundary of="this form">
      <Steps appUrl={appUrl} />
    </ErrorBoundary>
  )
}

function Steps({ appUrl }: Props) {
  const state = useStore(device.$device)
  if (state.step === 'typing') return <CodeForm />
  if (state.step === 'asking') return <Question state={state} />
  return state.step === 'approved' ? (
    <StatusCard
      title="You are connected"
      tone="success"
      takesFocus
      actions={
        <>
          <ButtonLink look="primary" href={appUrl}>
            Back to the app
          </ButtonLink>
          <ButtonLink href="/dashboard">Go to Dashboard</ButtonLink>
        </>
      }
    >
      <p>
        {state.clientName} signs in by itself in a few seconds. If the button does nothing, switch
        to it yourself.
      </p>
    </StatusCard>
  ) : (
    <StatusCard
      title="Not connected"
      takesFocus
      actions={<Button onClick={device.restart}>Enter another code</Button>}
    >
      <p>{state.clientName} was not let in. If you did not ask for this, there is nothing to do.</p>
    </StatusCard>
  )
}

function CodeForm() {
  const { state, bind, frame } = useForm(device.form)
  return (
    <>
      <header className="stack narrow-head">
        <h1>Connect the desktop app</h1>
        <p>Enter the code that the app shows.</p>
      </header>
      <form {...frame} className="form">
        <Problem text={state.problem} />
        <TextField
          {...bind('userCode')}
          label="Code"
          hint="Eight letters, for example BCDF-GHJK"
          autoComplete="one-time-code"
          className="input-code"
          isVerbatim
        />
        <Button
          type="submit"
          look="primary"
          isWide
          isBusy={state.isSubmitting}
          busyLabel="Looking…"
        >
          Continue
        </Button>
      </form>
    </>
  )
}

function Question({ state }: { state: Extract<DeviceState, { step: 'asking' }> }) {
  return (
    <StatusCard
      title={`Let ${state.clientName} in?`}
      takesFocus
      actions={
        <>
          <Button look="primary" isBusy={state.isSending} onClick={() => void device.answer(true)}>
            Connect
          </Button>
          <Button isBusy={state.isSending} onClick={() => void device.answer(false)}>
            Do not connect
          </Button>
        </>
      }
    >
      <Problem text={state.problem} />
      <p>
        It gets to use your tokens and to read your account. Only go on if the app in front of you
        shows the code <strong>{groupCode(state.code)}</strong>.
      </p>
    </StatusCard>
  )
}
