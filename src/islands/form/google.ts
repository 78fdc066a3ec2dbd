import { environment, session, toasts } from '../../stores/browser.ts'
import { createGoogleSignIn } from '../../stores/google-sign-in.ts'

export const google = createGoogleSignIn({
  environment,
  session,
  toasts,
  fragment: () => location.hash,
})
