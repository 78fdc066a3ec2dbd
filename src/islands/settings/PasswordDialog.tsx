import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { checkPassword } from '../../contract/password.ts'
import { deps } from '../../stores/browser.ts'
import { createPasswordChange } from '../../stores/password-change.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { Problem, useForm } from '../form/use-form.tsx'

interface Props {
  isOpen: boolean
  onClose: () => void
  /** Called after a change, which ends all other sessions. */
  onChanged: () => void
}

/** Its script loads when the user opens it. */
export default function PasswordDialog({ isOpen, onClose, onChanged }: Props) {
  const [form] = useState(() =>
    createPasswordChange({
      ...deps,
      onChanged: () => {
        onClose()
        onChanged()
      },
    }),
  )
  const { isSubmitting } = useStore(form.$form)
  const close = () => {
    onClose()
    form.reset()
  }
  return (
    <Dialog title="Change password" isOpen={isOpen} isLocked={isSubmitting} onClose={close}>
      <PasswordForm form={form} onCancel={close} />
    </Dialog>
  )
}

interface FormProps {
  form: ReturnType<typeof createPasswordChange>
  onCancel: () => void
}

function PasswordForm({ form, onCancel }: FormProps) {
  const { state, bind, frame, submit } = useForm(form)
  const { newPassword } = state.values
  return (
    <form {...frame} className="form">
      <Problem text={state.problem} />
      <PasswordField
        {...bind('currentPassword')}
        label="Current password"
        autoComplete="current-password"
      />
      <PasswordField
        {...bind('newPassword')}
        label="New password"
        autoComplete="new-password"
        rules={newPassword === '' ? undefined : checkPassword(newPassword)}
      />
      <p className="field-hint">This signs out your other devices.</p>
      <div className="dialog-actions">
        <Button onClick={onCancel} isBusy={state.isSubmitting}>
          Cancel
        </Button>
        <Button {...submit} busyLabel="Saving…">
          Change password
        </Button>
      </div>
    </form>
  )
}
