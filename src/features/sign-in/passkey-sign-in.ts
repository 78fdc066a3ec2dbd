import { mayOfferPasskeys, offerPasskeys } from '../../api/passkeys.ts'
import { sentenceOf } from '../../api/failure-text.ts'
import { environment } from '../../lib/environment.ts'
import { answerByPasskey } from '../factors/passkey-answer.ts'
import { session } from '../session/session.ts'
import { toasts } from '../toasts/toasts.ts'

export interface PasskeySignInDeps {
  rememberMe: () => boolean
  /** With recovery codes to show once, where the sign-in made some. */
  onSignedIn: (recoveryCodes: readonly string[]) => void
}

/** Signs in with a passkey alone. */
export async function signInByPasskey(deps: PasskeySignInDeps): Promise<void> {
  const { answer, problem } = await answerByPasskey()
  if (answer === null) toasts.errorHere(problem)
  else await signInWith(deps, answer)
}

/** Time enough to fetch the next challenge, and for a finger on a sensor. */
const MARGIN_MS = 30_000

/**
 * Lets the browser's autofill offer passkeys, and signs in with the one that the user chooses. The offer lasts as long as
 * the page: a little before its challenge expires, a new offer replaces it.
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
    stop = environment.clock.after(lastsMs, renew)
    return offer(options)
  }
  const { answer } = await answerByPasskey(offerUntilRenewed)
  // No new offer while the dialog of the button, which ended this one, is open: the dialog would close.
  stop()
  if (answer !== null) await signInWith(deps, answer)
}

type Answer = NonNullable<Awaited<ReturnType<typeof answerByPasskey>>['answer']>

async function signInWith(deps: PasskeySignInDeps, answer: Answer): Promise<void> {
  const { rememberMe, onSignedIn } = deps
  const body = { ...answer, rememberMe: rememberMe() }
  const result = await environment.call('POST /api/auth/login/passkey', { body })
  if (!result.ok) {
    toasts.errorHere(sentenceOf(result))
    return
  }
  if (session.begin(result.data)) onSignedIn(result.data.recoveryCodes ?? [])
}
