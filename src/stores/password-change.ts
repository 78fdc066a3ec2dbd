import { changePasswordEndpoint, ChangePasswordInput } from '../contract/credential.ts'
import { AUTH } from '../contract/messages.ts'
import { createForm, passwordOutcomeOf } from './form.ts'
import type { StoreDeps } from './session.ts'

interface PasswordChangeDeps extends StoreDeps {
  /** The change ended all other sessions: what lists them reloads. */
  onChanged: () => void
}

/** The password form of the security tab. It empties on success; a wrong password shows beside its field. */
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
