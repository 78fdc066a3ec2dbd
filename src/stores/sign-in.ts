import { TOAST } from '../contract/messages.ts'
import { loginEndpoint, LoginInput } from '../contract/session.ts'
import { createForm, outcomeOf } from './form.ts'
import type { StoreDeps } from './session.ts'
import { createFormErrors } from './toasts.ts'

const BLANK: { email: string; password: string; rememberMe: boolean } = {
  email: '',
  password: '',
  rememberMe: false,
}

interface SignInDeps extends StoreDeps {
  /** Goes to the dashboard, back to the page the user came from, or on with the purchase. */
  onSignedIn: () => void
}

/** The sign-in form, on /login and in the modal of the plans page. */
export function createSignIn({ environment, session, toasts, onSignedIn }: SignInDeps) {
  const errors = createFormErrors({ toasts })
  return createForm({
    schema: LoginInput,
    initial: BLANK,
    onAttempt: errors.clear,
    submit: async (body) => {
      const result = await environment.call(loginEndpoint, { body })
      if (!result.ok) {
        errors.show(result.message || TOAST.loginFailed)
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
