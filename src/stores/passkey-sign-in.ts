import { mayOfferPasskeys, offerPasskeys } from '../api/passkeys.ts'
import { passkeySignInEndpoint } from '../contract/factor.ts'
import { TOAST } from '../contract/messages.ts'
import { sentenceOf } from './failure-text.ts'
import { answerByPasskey } from './passkey-answer.ts'
import type { StoreDeps } from './session.ts'

interface PasskeySignInDeps extends StoreDeps {
  rememberMe: () => boolean
  onSignedIn: () => void
}

/** Signs in with a passkey alone. */
export async function signInByPasskey(deps: PasskeySignInDeps): Promise<void> {
  const { answer, problem } = await answerByPasskey(deps.environment)
  if (answer === null) deps.toasts.errorHere(problem)
  else await signInWith(deps, answer)
}

/** Lets the browser offer passkeys among what it fills in, and signs in with the one that the user chooses there. */
export async function offerPasskeySignIn(deps: PasskeySignInDeps): Promise<void> {
  if (!(await mayOfferPasskeys())) return
  const { answer } = await answerByPasskey(deps.environment, offerPasskeys)
  if (answer !== null) await signInWith(deps, answer)
}

type Answer = NonNullable<Awaited<ReturnType<typeof answerByPasskey>>['answer']>

async function signInWith(deps: PasskeySignInDeps, answer: Answer): Promise<void> {
  const { environment, session, toasts, rememberMe, onSignedIn } = deps
  const body = { ...answer, rememberMe: rememberMe() }
  const result = await environment.call(passkeySignInEndpoint, { body })
  if (!result.ok) {
    toasts.errorHere(sentenceOf(result))
    return
  }
  session.adopt(result.data.token, result.data.user)
  toasts.success(TOAST.loggedIn)
  onSignedIn()
}
