import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { SecondStep as Step } from '../../contract/endpoint.ts'
import { PURCHASE } from '../../contract/messages.ts'
import { environment } from '../../lib/environment.ts'
import { nextPath, pathAfterSignIn } from '../session/session.ts'
import { createSignIn } from './sign-in.ts'
import { withErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { google } from './GoogleButton.tsx'
import { SignInMethods } from './SignInMethods.tsx'

const SecondStep = onDemand(
  'the second step',
  () => import('./SecondStep.tsx'),
  <Loading>One moment…</Loading>,
)

/** /login */
export default withErrorBoundary('the sign-in form', SignIn)

function SignIn() {
  const afterGoogle = useStore(google.$secondStep, { ssr: 'initial' })
  const [afterPassword, setAfterPassword] = useState<Step | null>(null)
  const [reason, setReason] = useState<string | null>(null)
  const [signIn] = useState(() =>
    createSignIn({ onSignedIn: openNextPage, onSecondStep: setAfterPassword }),
  )
  useEffect(() => {
    setReason(reasonToSignIn(new URLSearchParams(location.search)))
    void google.handleReturn()
  }, [])
  const secondStep = afterGoogle?.step ?? afterPassword
  if (secondStep === null)
    return <SignInMethods signIn={signIn} onSignedIn={openNextPage} reason={reason} hasRememberMe />
  return (
    <SecondStep
      step={secondStep}
      {...(afterGoogle === null && { email: signIn.$form.get().values.email })}
      onRecovered={() => environment.navigate(RECOVERED)}
      onSignedIn={() => {
        if (afterGoogle === null) openNextPage()
        else environment.navigateInstead(afterGoogle.next)
      }}
      onStartAgain={() => {
        google.$secondStep.set(null)
        setAfterPassword(null)
        signIn.focus('email')
      }}
    />
  )
}

/** Where the page says how many recovery codes are left, and what to do now. */
const RECOVERED = '/profile?tab=security&recovered'

function openNextPage() {
  environment.navigateInstead(pathAfterSignIn(environment.here()))
}

/** Why somebody was led here; null for most. */
function reasonToSignIn(query: URLSearchParams): string | null {
  if (query.has('ended')) return 'Your session has ended. Please sign in again.'
  const next = nextPath(`?${query}`) ?? ''
  if (next.startsWith('/subscription/success?')) return PURCHASE.signInToSee
  return next.startsWith('/profile?tab=subscription') ? PURCHASE.signInToWithdraw : null
}
