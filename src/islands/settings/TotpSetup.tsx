import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { encode } from 'uqr'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { Problem, useForm } from '../form/use-form.tsx'
import type { Factors } from '../../stores/factors.ts'
import { createTotpForm } from '../../stores/totp-form.ts'
import { CopyButton } from './CopyButton.tsx'

/** Shows the secret of a new authenticator app and asks for its first code. */
export function TotpSetup({ factors }: { factors: Factors }) {
  const setup = useStore(factors.$setup)
  const [form] = useState(() => createTotpForm(factors))
  const { isSubmitting } = useStore(form.$form)
  const cancel = () => {
    factors.cancelTotp()
    form.reset()
  }
  return (
    <Dialog
      title="Set up an authenticator app"
      isOpen={setup !== null}
      isWide
      isLocked={isSubmitting}
      onClose={cancel}
    >
      {setup !== null && <SetupForm {...setup} form={form} onCancel={cancel} />}
    </Dialog>
  )
}

interface Props {
  form: ReturnType<typeof createTotpForm>
  onCancel: () => void
  uri: string
  secret: string
}

function SetupForm({ form, onCancel, uri, secret }: Props) {
  const { state, bind, frame, submit } = useForm(form)
  return (
    <form {...frame} className="form">
      <p>Scan this code with your authenticator app, or type in the key.</p>
      <QrCode text={uri} />
      <p className="key-text">{secret.replaceAll(/.{4}(?!$)/g, '$& ')}</p>
      <CopyButton text={secret}>Copy the key</CopyButton>
      <Problem text={state.problem} />
      <TextField
        {...bind('code')}
        label="Code from the app"
        autoComplete="one-time-code"
        className="input-code"
        isVerbatim
      />
      <div className="dialog-actions">
        <Button onClick={onCancel} isBusy={state.isSubmitting}>
          Cancel
        </Button>
        <Button {...submit} busyLabel="Checking…">
          Turn on
        </Button>
      </div>
    </form>
  )
}

/** Dark on light in both themes, because not every app reads it the other way round. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 2 })
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  )
  return (
    <svg
      className="qr-code"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="QR code with the key below"
      shapeRendering="crispEdges"
    >
      <path d={squares.join('')} />
    </svg>
  )
}
