import { useState } from 'react'
import { createConfirmation, methodsOf } from './confirmation.ts'
import type { FactorMethod } from './factor-proof.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { Username } from '../../ui/Username.tsx'
import { Problem, useForm } from '../form/use-form.tsx'
import { Loaded } from '../resource/Loaded.tsx'
import { useUser } from '../session/use-user.ts'
import { focusFirst, ProveFactor } from './ProveFactor.tsx'

interface Props {
  onFinish: (isConfirmed: boolean) => void
}

/** Asks who the user is before a call that needs it. */
export default function StepUpDialog({ onFinish }: Props) {
  const [confirmation] = useState(() => createConfirmation({ onConfirmed: () => onFinish(true) }))
  const close = () => onFinish(false)
  return (
    <Dialog title="Please confirm it’s you" isOpen onClose={close}>
      <Loaded resource={confirmation.factors} loading="One moment…">
        {(factors) => (
          // The dialog opened before there was anything to type into, so its close button has the focus.
          <div ref={focusFirst}>
            {methodsOf(factors).length > 0 ? (
              <Factor confirmation={confirmation} methods={methodsOf(factors)} />
            ) : factors.hasPassword ? (
              <PasswordForm form={confirmation.password} onCancel={close} />
            ) : (
              <div className="form">
                <p>You sign in with Google. Sign in again, then come back to this page.</p>
                <Button look="primary" onClick={confirmation.signInAgain}>
                  Sign in with Google again
                </Button>
              </div>
            )}
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}

type Confirmation = ReturnType<typeof createConfirmation>

interface FactorProps {
  confirmation: Confirmation
  methods: readonly FactorMethod[]
}

function Factor({ confirmation, methods }: FactorProps) {
  const [proof] = useState(() => confirmation.proveFactor(methods))
  return <ProveFactor proof={proof} />
}

interface PasswordProps {
  form: Confirmation['password']
  onCancel: () => void
}

function PasswordForm({ form, onCancel }: PasswordProps) {
  const { state, bind, formProps, submitProps } = useForm(form)
  return (
    <form {...formProps} className="form">
      <Problem text={state.problem} />
      <Username email={useUser()?.email ?? ''} />
      <PasswordField {...bind('password')} label="Your password" autoComplete="current-password" />
      <div className="dialog-actions">
        <Button onClick={onCancel}>Cancel</Button>
        <Button {...submitProps} busyLabel="Checking…">
          Confirm
        </Button>
      </div>
    </form>
  )
}
