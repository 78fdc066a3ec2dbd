import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { DeviceState } from './device-confirmation.ts'
import { createDeviceConfirmation, groupCode } from './device-confirmation.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Picture } from '../../ui/Picture.tsx'
import { StatusCard } from '../../ui/StatusCard.tsx'
import { withErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { Problem, useForm } from '../form/use-form.tsx'

const device = createDeviceConfirmation()

interface Props {
  /** The address that brings the app to the front once it is approved. It carries no data, because the app polls. */
  appUrl: string
}

/** /device: lets a desktop app sign in to this account. */
export default withErrorBoundary('this form', Device)

function Device({ appUrl }: Props) {
  const state = useStore(device.$device)
  useEffect(() => void device.prefill(), [])
  if (state.step === 'typing') return <CodeForm />
  if (state.step === 'asking') return <Question state={state} />
  return state.step === 'approved' ? (
    <StatusCard
      title={`${state.clientName} is ${state.isAgain ? 'already ' : ''}connected`}
      picture="connected"
      takesFocus
      next={['Back to the app', appUrl]}
      actions={<ButtonLink href="/dashboard">Go to Dashboard</ButtonLink>}
    >
      <p>
        {state.clientName} will sign in automatically in a few seconds. If the button does nothing,
        switch to the app yourself.
      </p>
    </StatusCard>
  ) : (
    <StatusCard
      title="Not connected"
      takesFocus
      actions={<Button onClick={device.restart}>Enter another code</Button>}
    >
      <p>
        {state.clientName} was not connected. If you did not ask for this, there is nothing you need
        to do.
      </p>
    </StatusCard>
  )
}

function CodeForm() {
  const { state, bind, formProps, submitProps } = useForm(device.form)
  return (
    <section className="card status-card">
      <Picture of="connected" />
      <h1>Connect the desktop app</h1>
      <p className="muted">Enter the code that the app shows.</p>
      <form {...formProps} className="form">
        <Problem text={state.problem} />
        <TextField
          {...bind('userCode')}
          label="Code"
          hint="Eight letters, for example BCDF-GHJK"
          autoComplete="one-time-code"
          className="input-code"
          isVerbatim
        />
        <Button {...submitProps} isWide busyLabel="Looking…">
          Continue
        </Button>
      </form>
    </section>
  )
}

function Question({ state }: { state: Extract<DeviceState, { step: 'asking' }> }) {
  return (
    <StatusCard
      title={`Connect ${state.clientName}?`}
      picture="connected"
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
        It will use your tokens and read your account. Only continue if the app in front of you
        shows the code <strong translate="no">{groupCode(state.code)}</strong>.
      </p>
    </StatusCard>
  )
}
