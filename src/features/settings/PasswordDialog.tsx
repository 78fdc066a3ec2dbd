import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { sentenceOf } from '../../api/failure-text.ts'
import { ChangePasswordInput } from '../../contract/credential.ts'
import { AUTH } from '../../contract/messages.ts'
import { checkPassword } from '../../contract/password.ts'
import { createForm } from '../form/form.ts'
import { Button } from '../../ui/Button.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { Username } from '../../ui/Username.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import { createAction } from '../resource/action.ts'
import { useUser } from '../session/use-user.ts'
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
  const email = useUser()?.email ?? ''
  const [mail] = useState(() =>
    createAction(async () => {
      const sent = await session.call('POST /api/auth/forgot-password', { body: { email } })
      if (sent.ok) toasts.success(AUTH.resetFromSettings)
      else toasts.error(sentenceOf(sent))
    }),
  )
  const isBusy = useStore(mail.$isBusy)
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
          <Username email={email} />
          <PasswordField
            {...bind('currentPassword')}
            label="Current password"
            autoComplete="current-password"
          />
          <Button look="muted" size="small" isBusy={isBusy} onClick={() => void mail.run()}>
            Forgot it? Email me a link
          </Button>
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
