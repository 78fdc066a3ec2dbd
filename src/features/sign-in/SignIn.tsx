import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { SecondStep as Step } from '../../contract/endpoint.ts'
import { PURCHASE } from '../../contract/messages.ts'
import { environment } from '../../lib/environment.ts'
import { nextPath, pathAfterSignIn } from '../session/session.ts'
import { toasts } from '../toasts/toasts.ts'
import { createSignIn } from './sign-in.ts'
import { AcceptedTerms } from '../../ui/AcceptedTerms.tsx'
import { Button } from '../../ui/Button.tsx'
import { MissingPart, withErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { loadPart, onDemand } from '../../ui/on-demand.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { google, GoogleButton } from './GoogleButton.tsx'
import { Problem } from '../form/use-form.tsx'
import { SignInForm } from './SignInForm.tsx'

const SecondStep = onDemand(
  'the second step',
  () => import('./SecondStep.tsx'),
  <Loading>One moment…</Loading>,
)

const RecoveryCodes = onDemand('your recovery codes', () => import('../factors/RecoveryCodes.tsx'))

/** /login */
export default withErrorBoundary('the sign-in form', SignIn)

function SignIn() {
  const afterGoogle = useStore(google.$secondStep, { ssr: 'initial' })
  const [step, setStep] = useState<Step | null>(null)
  const [signIn] = useState(() => createSignIn({ onSignedIn: goOn, onSecondStep: setStep }))
  useEffect(() => void google.arrive(), [])
  const waiting = afterGoogle?.step ?? step
  if (waiting === null) return <FirstStep signIn={signIn} />
  return (
    <SecondStep
      step={waiting}
      onSignedIn={() => {
        if (afterGoogle === null) goOn()
        else environment.navigate(afterGoogle.next)
      }}
      onStartAgain={() => {
        google.$secondStep.set(null)
        setStep(null)
        signIn.focus('email')
      }}
    />
  )
}

function goOn() {
  environment.navigate(pathAfterSignIn(environment.here()))
}

function FirstStep({ signIn }: { signIn: SignInStore }) {
  const { problem } = useStore(google.$google, { ssr: 'initial' })
  const [codes, setCodes] = useState<readonly string[]>([])
  const onSignedIn = (made: readonly string[]) => (made.length > 0 ? setCodes(made) : goOn())
  const [offerPasskey] = useState(() => once(() => void loadOffer({ signIn, onSignedIn })))
  const [reason, setReason] = useState<string | null>(null)
  useEffect(() => {
    setReason(reasonToSignIn(new URLSearchParams(location.search)))
    // The focus may have come before React was there.
    if (document.activeElement?.matches('astro-island input') === true) offerPasskey()
  }, [offerPasskey])
  return (
    <>
      <Problem text={problem} />
      {reason !== null && <Notice tone="muted">{reason}</Notice>}
      <SignInForm form={signIn} hasRememberMe onBegin={offerPasskey} />
      <p className="divider">or</p>
      <div className="form">
        <PasskeyButton signIn={signIn} onSignedIn={onSignedIn} />
        <GoogleButton label="Sign in with Google" />
        <AcceptedTerms by="creating an account with Google" />
      </div>
      {codes.length > 0 && <RecoveryCodes codes={codes} onSaved={goOn} />}
    </>
  )
}

/** Why somebody was led here; null for most. */
function reasonToSignIn(query: URLSearchParams): string | null {
  if (query.has('ended')) return 'Your session has ended. Please sign in again.'
  const next = nextPath(`?${query}`) ?? ''
  if (next.startsWith('/subscription/success?')) return PURCHASE.signInToSee
  return next.startsWith('/profile?tab=subscription') ? PURCHASE.signInToWithdraw : null
}

function once(act: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) act()
    isDone = true
  }
}

type SignInStore = ReturnType<typeof createSignIn>

interface ByPasskey {
  signIn: SignInStore
  onSignedIn: (recoveryCodes: readonly string[]) => void
}

/** The form also works without the script or an answer of the server. */
async function loadOffer(by: ByPasskey): Promise<void> {
  const part = await import('./passkey-sign-in.ts').catch(() => null)
  await part?.offerPasskeySignIn(passkeyDeps(by))
}

function passkeyDeps({ signIn, onSignedIn }: ByPasskey) {
  const rememberMe = () => signIn.$form.get().values.rememberMe
  return { rememberMe, onSignedIn }
}

function PasskeyButton(by: ByPasskey) {
  const [isAsking, setIsAsking] = useState(false)
  const handleClick = async () => {
    setIsAsking(true)
    try {
      const { signInByPasskey } = await loadPart(() => import('./passkey-sign-in.ts'))
      await signInByPasskey(passkeyDeps(by))
    } catch (error) {
      if (!(error instanceof MissingPart)) throw error
      toasts.errorHere('A part of this page did not load. Reload the page and try again.')
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
