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

/** Enough for the call that fetches the next challenge, and for a finger on a sensor. */
const MARGIN_MS = 30_000

/**
 * Lets the browser offer passkeys among what it fills in, and signs in with the one that the user chooses there. The offer stays
 * for as long as the page: a little before its challenge expires it is made again, which ends the older one.
 */
export async function offerPasskeySignIn(
  deps: PasskeySignInDeps,
  { mayOffer = mayOfferPasskeys, offer = offerPasskeys } = {},
): Promise<void> {
  if (!(await mayOffer())) return
  let stop: () => void = () => undefined
  const offerUntilRenewed: typeof offer = (options) => {
    const lastsMs = (options.timeout ?? 0) - MARGIN_MS
    const renew = () => void offerPasskeySignIn(deps, { mayOffer, offer })
    stop = deps.environment.clock.after(lastsMs, renew)
    return offer(options)
  }
  const { answer } = await answerByPasskey(deps.environment, offerUntilRenewed)
  // Not again beside the dialog of the button, which ends the offer: the dialog would close.
  stop()
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
