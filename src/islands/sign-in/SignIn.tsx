import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { PURCHASE } from '../../contract/messages.ts'
import { deps, environment } from '../../stores/browser.ts'
import { nextPath, pathAfterSignIn } from '../../stores/session.ts'
import { createSignIn } from '../../stores/sign-in.ts'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { google } from '../form/google.ts'
import { GoogleButton } from '../form/GoogleButton.tsx'
import { Problem } from '../form/Problem.tsx'
import { SignInForm } from './SignInForm.tsx'

const signIn = createSignIn({
  ...deps,
  onSignedIn: () => {
    environment.navigate(pathAfterSignIn(environment.here().search))
  },
})

/** /login */
export default function SignIn() {
  const { problem } = useStore(google.$google, { ssr: 'initial' })
  const [isAfterPaying, setIsAfterPaying] = useState(false)
  useEffect(() => {
    setIsAfterPaying(nextPath(location.search)?.startsWith('/subscription/success?') === true)
    void google.arrive()
  }, [])
  return (
    <ErrorBoundary of="the sign-in form">
      <Problem text={problem} />
      {isAfterPaying && <Notice tone="muted">{PURCHASE.signInToSee}</Notice>}
      <SignInForm form={signIn} hasRememberMe />
      <p className="divider">or</p>
      <GoogleButton label="Sign in with Google" />
    </ErrorBoundary>
  )
}
