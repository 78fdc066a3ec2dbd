import { changePasswordEndpoint, ChangePasswordInput } from '../contract/credential.ts'
import { AUTH } from '../contract/messages.ts'
import { createForm } from './form.ts'
import { outcomeOf } from './outcome.ts'
import type { Session } from './session.ts'
import type { Toasts } from './toasts.ts'

interface Parts {
  session: Session
  toasts: Toasts
  /** Other sessions ended with the change: what lists them asks again. */
  onChanged: () => void
}

/** The form of the security tab. Emptied once the password was changed; a wrong one is told beside its field. */
export function createPasswordChange({ session, toasts, onChanged }: Parts) {
  const form = createForm({
    schema: ChangePasswordInput,
    initial: { currentPassword: '', newPassword: '' },
    submit: async (body) => {
      const result = await session.call(changePasswordEndpoint, { body })
      if (!result.ok) return wrongPasswordOf(result, 'currentPassword')
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

/** "Wrong password" belongs beside the field it was typed into. */
export function wrongPasswordOf(failure: Parameters<typeof outcomeOf>[0], field: string) {
  if (failure.code !== 'WRONG_PASSWORD') return outcomeOf(failure)
  return {
    ok: false as const,
    problem: null,
    errors: [{ path: field, msg: failure.message || AUTH.wrongPassword }],
  }
}
