import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { google } from '../form/google.ts'
import { GoogleButton } from '../form/GoogleButton.tsx'
import { Problem } from '../form/Problem.tsx'
import { SignInForm } from './SignInForm.tsx'
import { signIn } from './store.ts'

/** /login */
export default function SignIn() {
  const { problem } = useStore(google.$google, { ssr: 'initial' })
  useEffect(() => {
    void google.arrive()
  }, [])
  return (
    <ErrorBoundary of="the sign-in form">
      <Problem text={problem} />
      <SignInForm form={signIn} hasRememberMe />
      <p className="divider">or</p>
      <GoogleButton label="Sign in with Google" />
    </ErrorBoundary>
  )
}
