import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { ENDED_PARAMETER } from '../../stores/session-state.ts'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { GoogleButton } from '../form/GoogleButton.tsx'
import { google } from '../form/google-store.ts'
import { Problem } from '../form/Problem.tsx'
import { SignInForm } from './SignInForm.tsx'
import { signIn } from './store.ts'

/** /login */
export default function SignIn() {
  const [hasEnded, setHasEnded] = useState(false)
  useEffect(() => {
    setHasEnded(new URLSearchParams(location.search).has(ENDED_PARAMETER))
    const { hash, pathname, search } = location
    if (hash !== '') history.replaceState(history.state, '', pathname + search)
    void google.comeBack(hash)
  }, [])
  return (
    <ErrorBoundary of="the sign-in form">
      {hasEnded && <Notice tone="quiet">Your session has ended. Please sign in again.</Notice>}
      <GoogleProblem />
      <SignInForm form={signIn} hasRememberMe />
      <p className="divider">or</p>
      <GoogleButton label="Sign in with Google" />
    </ErrorBoundary>
  )
}

function GoogleProblem() {
  return <Problem text={useStore(google.$google, { ssr: 'initial' }).problem} />
}
