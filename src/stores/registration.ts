import { TOAST } from '../contract/messages.ts'
import { registerEndpoint, RegisterInput } from '../contract/session.ts'
import { createAttemptErrors } from './attempt-errors.ts'
import type { Environment } from './environment.ts'
import { createForm } from './form.ts'
import { outcomeOf, toastOf } from './outcome.ts'
import type { Session } from './session.ts'
import type { Toasts } from './toasts.ts'

interface Parts {
  environment: Environment
  session: Session
  toasts: Toasts
  onRegistered: () => void
}

/** The registration form; success signs in. */
export function createRegistration({ environment, session, toasts, onRegistered }: Parts) {
  const errors = createAttemptErrors(toasts)
  return createForm({
    schema: RegisterInput,
    initial: { username: '', email: '', password: '', confirmPassword: '' },
    onAttempt: errors.clear,
    submit: async (body) => {
      const result = await environment.call(registerEndpoint, { body })
      if (!result.ok) {
        errors.say(toastOf(result, TOAST.registrationFailed))
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
