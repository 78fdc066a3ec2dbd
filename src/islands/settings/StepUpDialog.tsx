import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { deps } from '../../stores/browser.ts'
import { createConfirmation } from '../../stores/confirmation.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { ProveFactor } from '../factors/ProveFactor.tsx'
import { Problem } from '../form/Problem.tsx'
import { useForm } from '../form/use-form.ts'
import { stepUp } from './step-up.ts'

/** Asks who the user is before a call that needs it. */
export default function StepUpDialog() {
  const close = () => {
    stepUp.finish(false)
  }
  return (
    <Dialog title="Please confirm that it is you" isOpen onClose={close}>
      <Confirmation />
    </Dialog>
  )
}

type ConfirmationStore = ReturnType<typeof createConfirmation>

function Confirmation() {
  const [confirmation] = useState(() =>
    createConfirmation({
      ...deps,
      onConfirmed: () => {
        stepUp.finish(true)
      },
    }),
  )
  const state = useStore(confirmation.$confirmation)
  useEffect(() => {
    void confirmation.start()
  }, [confirmation])
  const { step } = state
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The dialog opened before there was anything to type into, so its close button has the focus.
    if (step !== 'loading') place.current?.querySelector<HTMLElement>('[name], .button')?.focus()
  }, [step])
  return (
    <div ref={place}>
      <Proof confirmation={confirmation} state={state} />
    </div>
  )
}

interface ProofProps {
  confirmation: ConfirmationStore
  state: ReturnType<ConfirmationStore['$confirmation']['get']>
}

function Proof({ confirmation, state }: ProofProps) {
  switch (state.step) {
    case 'loading':
      return <Loading>One moment…</Loading>
    case 'failed':
      return <Problem text={state.problem} />
    case 'password':
      return <PasswordForm confirmation={confirmation} />
    case 'factor':
      return <ProveFactor proof={state.proof} />
    case 'google':
      return (
        <div className="form">
          <p>Your account signs in with Google. Sign in again, then come back to this page.</p>
          <Button look="primary" onClick={confirmation.signInAgain}>
            Sign in with Google again
          </Button>
        </div>
      )
  }
}

function PasswordForm({ confirmation }: { confirmation: ConfirmationStore }) {
  const { state, bind, frame } = useForm(confirmation.password)
  return (
    <form {...frame} className="form">
      <Problem text={state.problem} />
      <PasswordField {...bind('password')} label="Your password" autoComplete="current-password" />
      <div className="dialog-actions">
        <Button
          onClick={() => {
            stepUp.finish(false)
          }}
        >
          Cancel
        </Button>
        <Button type="submit" look="primary" isBusy={state.isSubmitting} busyLabel="Checking…">
          Confirm
        </Button>
      </div>
    </form>
  )
}
