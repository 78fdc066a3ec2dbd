import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { encode } from 'uqr'
import { TextField } from '../../ui/TextField.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import { TotpCode } from '../../contract/factor.ts'
import { z } from '../../contract/zod.ts'
import type { Factors } from './factors.ts'
import { createForm } from '../form/form.ts'
import { CopyButton } from '../factors/CopyButton.tsx'

/** Shows the secret of a new authenticator app and asks for its first code. */
export default function TotpSetup({ factors }: { factors: Factors }) {
  const setup = useStore(factors.$setup)
  const [form] = useState(() =>
    createForm({
      schema: z.object({ code: TotpCode }),
      initial: { code: '' },
      send: ({ code }) => factors.addTotp(code),
      onSuccess: (data) => {
        form.reset()
        factors.finishTotp(data)
      },
    }),
  )
  return (
    <FormDialog
      title="Set up an authenticator app"
      form={form}
      isOpen={setup !== null}
      isWide
      startsAtHeading
      onClose={factors.cancelTotp}
      yes="Turn on"
      busyLabel="Checking…"
    >
      {({ bind }) =>
        setup !== null && (
          <>
            <p>Scan this code with your authenticator app, or type in the key.</p>
            <QrCode text={setup.uri} />
            <p className="key-text" translate="no">
              {setup.secret.replaceAll(/.{4}(?!$)/g, '$& ')}
            </p>
            <CopyButton text={setup.secret}>Copy the key</CopyButton>
            <TextField
              {...bind('code')}
              label="Code from the app"
              autoComplete="one-time-code"
              inputMode="numeric"
              className="input-code"
              isVerbatim
            />
          </>
        )
      }
    </FormDialog>
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
