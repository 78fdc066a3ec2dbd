import { changePasswordEndpoint, ChangePasswordInput } from '../contract/credential.ts'
import { AUTH } from '../contract/messages.ts'
import { createForm, passwordOutcomeOf } from './form.ts'
import type { StoreDeps } from './session.ts'

interface PasswordChangeDeps extends StoreDeps {
  /** Other sessions ended with the change: what lists them asks again. */
  onChanged: () => void
}

/** The form of the security tab. Emptied once the password was changed; a wrong one is told beside its field. */
export function createPasswordChange({ session, toasts, onChanged }: PasswordChangeDeps) {
  const form = createForm({
    schema: ChangePasswordInput,
    initial: { currentPassword: '', newPassword: '' },
    submit: async (body) => {
      const result = await session.call(changePasswordEndpoint, { body })
      if (!result.ok) return passwordOutcomeOf(result, 'currentPassword')
      toasts.success(result.data.message ?? AUTH.passwordChanged)
      onChanged()
      return { ok: true }
    },
  })
  async function submit() {
    const isDone = await form.submit()
    if (isDone) form.reset()
  }
  return { ...form, submit }
}
