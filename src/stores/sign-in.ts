import { TOAST } from '../contract/messages.ts'
import { loginEndpoint, LoginInput } from '../contract/session.ts'
import { createAttemptErrors } from './attempt-errors.ts'
import type { Environment } from './environment.ts'
import { createForm } from './form.ts'
import { outcomeOf, toastOf } from './outcome.ts'
import type { Session } from './session.ts'
import type { Toasts } from './toasts.ts'

const BLANK: { email: string; password: string; rememberMe: boolean } = {
  email: '',
  password: '',
  rememberMe: false,
}

interface Parts {
  environment: Environment
  session: Session
  toasts: Toasts
  /** What follows: the dashboard, the page one came from, or the purchase one had begun. */
  onSignedIn: () => void
}

/** The sign-in form, on /login and in the modal of the plans page. */
export function createSignIn({ environment, session, toasts, onSignedIn }: Parts) {
  const errors = createAttemptErrors(toasts)
  return createForm({
    schema: LoginInput,
    initial: BLANK,
    onAttempt: errors.clear,
    submit: async (body) => {
      const result = await environment.call(loginEndpoint, { body })
      if (!result.ok) {
        errors.say(toastOf(result, TOAST.loginFailed))
        return outcomeOf(result)
      }
      session.adopt(result.data.token, result.data.user)
      toasts.success(TOAST.loggedIn)
      onSignedIn()
      return { ok: true }
    },
  })
}

export type SignIn = ReturnType<typeof createSignIn>
