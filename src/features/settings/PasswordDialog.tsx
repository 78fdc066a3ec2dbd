import { useState } from 'react'
import { ChangePasswordInput } from '../../contract/credential.ts'
import { AUTH } from '../../contract/messages.ts'
import { checkPassword } from '../../contract/password.ts'
import { createForm } from '../form/form.ts'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import { session } from '../session/session.ts'
import { toasts } from '../toasts/toasts.ts'

interface Props {
  isOpen: boolean
  onClose: () => void
  /** Called after a change, which ends all other sessions. */
  onChanged: () => void
}

/** Its script loads when the user opens it. */
export default function PasswordDialog({ onChanged, ...dialog }: Props) {
  const [form] = useState(() =>
    createForm({
      schema: ChangePasswordInput,
      initial: { currentPassword: '', newPassword: '' },
      passwordField: 'currentPassword',
      send: (body) => session.call('POST /api/auth/change-password', { body }),
      onSuccess: ({ message }) => {
        toasts.success(message ?? AUTH.passwordChanged)
        form.reset()
        dialog.onClose()
        onChanged()
      },
    }),
  )
  return (
    <FormDialog
      {...dialog}
      title="Change password"
      form={form}
      yes="Change password"
      busyLabel="Saving…"
    >
      {({ bind, state: { values } }) => (
        <>
          <PasswordField
            {...bind('currentPassword')}
            label="Current password"
            autoComplete="current-password"
          />
          <PasswordField
            {...bind('newPassword')}
            label="New password"
            autoComplete="new-password"
            rules={values.newPassword === '' ? undefined : checkPassword(values.newPassword)}
          />
          <p className="field-hint">This signs out your other devices.</p>
        </>
      )}
    </FormDialog>
  )
}
