import { useEffect, useState } from 'react'
import { ENDED_PARAMETER } from '../../stores/session-state.ts'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { GoogleButton } from '../form/GoogleButton.tsx'
import { SignInForm } from './SignInForm.tsx'
import { signIn } from './store.ts'

/** /login */
export default function SignIn() {
  const [hasEnded, setHasEnded] = useState(false)
  useEffect(() => {
    setHasEnded(new URLSearchParams(location.search).has(ENDED_PARAMETER))
  }, [])
  return (
    <ErrorBoundary of="the sign-in form">
      {hasEnded && <Notice tone="quiet">Your session has ended. Please sign in again.</Notice>}
      <SignInForm form={signIn} hasRememberMe />
      <p className="divider">or</p>
      <GoogleButton label="Sign in with Google" />
    </ErrorBoundary>
  )
}
