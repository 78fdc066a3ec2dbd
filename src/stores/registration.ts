import { TOAST } from '../contract/messages.ts'
import { registerEndpoint, RegisterInput } from '../contract/session.ts'
import { createForm, outcomeOf } from './form.ts'
import type { StoreDeps } from './session.ts'
import { createFormErrors } from './toasts.ts'

interface RegistrationDeps extends StoreDeps {
  onRegistered: () => void
}

/** The registration form; success signs in. */
export function createRegistration({
  environment,
  session,
  toasts,
  onRegistered,
}: RegistrationDeps) {
  const errors = createFormErrors({ toasts })
  return createForm({
    schema: RegisterInput,
    initial: { username: '', email: '', password: '', confirmPassword: '' },
    onAttempt: errors.clear,
    submit: async (body) => {
      const result = await environment.call(registerEndpoint, { body })
      if (!result.ok) {
        errors.show(result.message || TOAST.registrationFailed)
        return outcomeOf(result)
      }
      session.adopt(result.data.token, result.data.user)
      toasts.success(TOAST.registered)
      onRegistered()
      return { ok: true }
    },
  })
}

export type Registration = ReturnType<typeof createRegistration>
