import { safeNext } from '../../lib/safe-next.ts'
import { environment, session, toasts } from '../../stores/browser.ts'
import { HOME, NEXT_PARAMETER } from '../../stores/session-state.ts'
import { createSignIn } from '../../stores/sign-in.ts'

export const signIn = createSignIn({
  environment,
  session,
  toasts,
  onSignedIn: () => {
    const next = new URLSearchParams(environment.here().search).get(NEXT_PARAMETER)
    environment.navigate(safeNext(next) ?? HOME)
  },
})
