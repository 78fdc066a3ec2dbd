import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { ENDED_PARAMETER } from '../../stores/session-state.ts'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { google } from '../form/google.ts'
import { GoogleButton } from '../form/GoogleButton.tsx'
import { Problem } from '../form/Problem.tsx'
import { SignInForm } from './SignInForm.tsx'
import { signIn } from './store.ts'

/** /login */
export default function SignIn() {
  const [hasEnded, setHasEnded] = useState(false)
  const { problem } = useStore(google.$google, { ssr: 'initial' })
  useEffect(() => {
    setHasEnded(new URLSearchParams(location.search).has(ENDED_PARAMETER))
    void google.arrive()
  }, [])
  return (
    <ErrorBoundary of="the sign-in form">
      {hasEnded && <Notice tone="quiet">Your session has ended. Please sign in again.</Notice>}
      <Problem text={problem} />
      <SignInForm form={signIn} hasRememberMe />
      <p className="divider">or</p>
      <GoogleButton label="Sign in with Google" />
    </ErrorBoundary>
  )
}
