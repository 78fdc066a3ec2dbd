import { passkeySignInEndpoint } from '../contract/factor.ts'
import { TOAST } from '../contract/messages.ts'
import { sentenceOf } from './failure-text.ts'
import { answerByPasskey } from './passkey-answer.ts'
import type { StoreDeps } from './session.ts'

interface PasskeySignInDeps extends StoreDeps {
  rememberMe: boolean
  onSignedIn: () => void
}

/** Signs in with a passkey alone. */
export async function signInByPasskey(deps: PasskeySignInDeps): Promise<void> {
  const { environment, session, toasts, rememberMe, onSignedIn } = deps
  const { answer, problem } = await answerByPasskey(environment)
  if (answer === null) {
    toasts.errorHere(problem)
    return
  }
  const result = await environment.call(passkeySignInEndpoint, { body: { ...answer, rememberMe } })
  if (!result.ok) {
    toasts.errorHere(sentenceOf(result))
    return
  }
  session.adopt(result.data.token, result.data.user)
  toasts.success(TOAST.loggedIn)
  onSignedIn()
}
