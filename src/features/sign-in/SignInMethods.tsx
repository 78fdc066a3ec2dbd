import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { PAGE } from '../../contract/messages.ts'
import { toasts } from '../toasts/toasts.ts'
import type { PasskeySignInDeps } from './passkey-sign-in.ts'
import type { SignInStore } from './sign-in.ts'
import { AcceptedTerms } from '../../ui/AcceptedTerms.tsx'
import { Button } from '../../ui/Button.tsx'
import { MissingPart } from '../../ui/ErrorBoundary.tsx'
import { loadPart, onDemand } from '../../ui/on-demand.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { google, GoogleButton } from './GoogleButton.tsx'
import { Problem } from '../form/use-form.tsx'
import { SignInForm } from './SignInForm.tsx'

const RecoveryCodes = onDemand('your recovery codes', () => import('../factors/RecoveryCodes.tsx'))

interface Props {
  signIn: SignInStore
  onSignedIn: () => void
  hasRememberMe?: boolean
  /** Why somebody was led here; null for most. */
  reason?: string | null
  /** Where Google leads back to; the page's own `next` when left out. */
  next?: string
  /** Called before the page is left for Google. */
  onLeave?: () => void
}

/** All sign-in methods: email and password, passkey, Google. On /login and in the modal of the plans page. */
export function SignInMethods(props: Props) {
  const { signIn, onSignedIn, reason, hasRememberMe = false, next, onLeave } = props
  const { problem } = useStore(google.$google, { ssr: 'initial' })
  const [codes, setCodes] = useState<readonly string[]>([])
  const byPasskey: PasskeySignInDeps = {
    rememberMe: () => signIn.$form.get().values.rememberMe,
    onSignedIn: (made) => (made.length > 0 ? setCodes(made) : onSignedIn()),
  }
  const [offerPasskey] = useState(() => once(() => void loadOffer(byPasskey)))
  useEffect(() => {
    // The focus may have come before React was there.
    if (document.activeElement?.matches('astro-island input') === true) offerPasskey()
  }, [offerPasskey])
  return (
    <>
      <Problem text={problem} />
      {reason != null && <Notice tone="muted">{reason}</Notice>}
      <SignInForm form={signIn} hasRememberMe={hasRememberMe} onBegin={offerPasskey} />
      <p className="divider">or</p>
      <div className="form">
        <PasskeyButton {...byPasskey} />
        <GoogleButton label="Sign in with Google" next={next} onLeave={onLeave} />
        <AcceptedTerms by="creating an account with Google" />
      </div>
      {codes.length > 0 && <RecoveryCodes codes={codes} onSaved={onSignedIn} />}
    </>
  )
}

function once(act: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) act()
    isDone = true
  }
}

/** The form also works without the script or an answer of the server. */
async function loadOffer(deps: PasskeySignInDeps): Promise<void> {
  const part = await import('./passkey-sign-in.ts').catch(() => null)
  await part?.offerPasskeySignIn(deps)
}

function PasskeyButton(deps: PasskeySignInDeps) {
  const [isAsking, setIsAsking] = useState(false)
  const handleClick = async () => {
    setIsAsking(true)
    try {
      const { signInByPasskey } = await loadPart(() => import('./passkey-sign-in.ts'))
      await signInByPasskey(deps)
    } catch (error) {
      if (!(error instanceof MissingPart)) throw error
      toasts.errorHere(PAGE.partMissing)
    } finally {
      setIsAsking(false)
    }
  }
  return (
    <Button
      isWide
      isBusy={isAsking}
      busyLabel="Waiting for your passkey…"
      onClick={() => void handleClick()}
    >
      Sign in with a passkey
    </Button>
  )
}
