import { useStore } from '@nanostores/react'
import type { FactorMethod, FactorProofStore } from './factor-proof.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { Problem, useForm } from '../form/use-form.tsx'

const SWITCH_LABELS: Record<FactorMethod, string> = {
  passkey: 'Use a passkey',
  totp: 'Use the authenticator app',
  recovery: 'Use a recovery code',
}

/** Asks for one factor, and offers the others. */
export function ProveFactor({ proof }: { proof: FactorProofStore }) {
  const method = useStore(proof.$method)
  return (
    <div className="stack">
      <div key={method} ref={focusFirst}>
        {method === 'passkey' ? (
          <PasskeyProof proof={proof} />
        ) : (
          <CodeProof proof={proof} kind={method} />
        )}
      </div>
      <div className="row factor-ways">
        {proof.methods
          .filter((other) => other !== method)
          .map((other) => (
            <Button key={other} look="muted" size="small" onClick={() => proof.$method.set(other)}>
              {SWITCH_LABELS[other]}
            </Button>
          ))}
      </div>
    </div>
  )
}

/** Focuses the first field or button, for those that appear in place of what had the focus. */
export function focusFirst(place: HTMLElement | null) {
  place?.querySelector<HTMLElement>('[name], .button')?.focus()
}

function PasskeyProof({ proof }: { proof: FactorProofStore }) {
  const { isAsking, problem } = useStore(proof.$passkey)
  return (
    <div className="form">
      <Problem text={problem} />
      <p>Your browser will ask for your fingerprint, your face or your device’s PIN.</p>
      <Button
        look="primary"
        isWide
        isBusy={isAsking}
        busyLabel="Waiting for your passkey…"
        onClick={() => void proof.usePasskey()}
      >
        Continue with a passkey
      </Button>
    </div>
  )
}

const CODE_FIELDS = {
  totp: {
    label: 'Authenticator code',
    autoComplete: 'one-time-code',
    inputMode: 'numeric',
    className: 'input-code',
  },
  recovery: {
    label: 'Recovery code',
    hint: 'One of the codes you saved when you set up your second step. Each works once.',
    autoComplete: 'off',
  },
} as const

function CodeProof({ proof, kind }: { proof: FactorProofStore; kind: keyof typeof CODE_FIELDS }) {
  const { state, bind, formProps, submitProps } = useForm(proof[kind])
  return (
    <form {...formProps} className="form">
      <Problem text={state.problem} />
      <TextField {...bind('code')} {...CODE_FIELDS[kind]} isVerbatim />
      <Button {...submitProps} isWide busyLabel="Checking…">
        Continue
      </Button>
      {kind === 'recovery' && (
        <p className="field-hint">
          No code left? Nobody can open the account without its second step.{' '}
          <a href="/contact">Write to us</a>: once we know that you are its owner, support can
          suspend it, export it, refund it, and give its tokens to a new account.
        </p>
      )}
    </form>
  )
}
