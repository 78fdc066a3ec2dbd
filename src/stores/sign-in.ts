import { TOAST } from '../contract/messages.ts'
import { loginEndpoint, LoginInput } from '../contract/session.ts'
import { createForm } from './form.ts'
import type { StoreDeps } from './session.ts'
import { createFailureToast } from './toasts.ts'

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
  return createForm({
    schema: LoginInput,
    initial: BLANK,
    ...createFailureToast(toasts, TOAST.loginFailed),
    send: (body) => environment.call(loginEndpoint, { body }),
    onSuccess: ({ token, user }) => {
      session.adopt(token, user)
      toasts.success(TOAST.loggedIn)
      onSignedIn()
    },
  })
}

export type SignIn = ReturnType<typeof createSignIn>
