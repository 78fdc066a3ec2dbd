import { changePasswordEndpoint, ChangePasswordInput } from '../contract/credential.ts'
import { AUTH } from '../contract/messages.ts'
import { createForm } from './form.ts'
import type { StoreDeps } from './session.ts'

interface PasswordChangeDeps extends StoreDeps {
  /** Called after a change. It has ended all other sessions, so the list of sessions must reload. */
  onChanged: () => void
}

/** The password form of the security tab. It empties on success; a wrong password shows beside its field. */
export function createPasswordChange({ session, toasts, onChanged }: PasswordChangeDeps) {
  const form = createForm({
    schema: ChangePasswordInput,
    initial: { currentPassword: '', newPassword: '' },
    passwordField: 'currentPassword',
    send: (body) => session.call(changePasswordEndpoint, { body }),
    onSuccess: ({ message }) => {
      toasts.success(message ?? AUTH.passwordChanged)
      form.reset()
      onChanged()
    },
  })
  return form
}
