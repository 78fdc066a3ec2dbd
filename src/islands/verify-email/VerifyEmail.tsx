import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { TOAST } from '../../contract/messages.ts'
import { createEmailVerification } from '../../stores/email-verification.ts'
import { deps } from '../../stores/browser.ts'
import { Button } from '../../ui/Button.tsx'
import { CalmCard } from '../../ui/CalmCard.tsx'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { Waiting } from '../../ui/Waiting.tsx'

const verification = createEmailVerification(deps)

/** /verify-email/{token} */
export default function VerifyEmail() {
  useEffect(() => {
    void verification.verify()
  }, [])
  return (
    <ErrorBoundary of="the verification">
      <Steps />
    </ErrorBoundary>
  )
}

function Steps() {
  const state = useStore(verification.$verification, { ssr: 'initial' })
  if (state.step === 'verifying') {
    return (
      <CalmCard title="Verifying your email">
        <Waiting>One moment…</Waiting>
      </CalmCard>
    )
  }
  return state.step === 'verified' ? <Verified /> : <Failed message={state.message} />
}

function Verified() {
  return (
    <CalmCard
      title={TOAST.emailVerified}
      tone="success"
      takesFocus
      actions={
        <a className="button button-primary" href="/dashboard">
          Go to Dashboard
        </a>
      }
    >
      <p>Taking you to your dashboard in 3 seconds.</p>
    </CalmCard>
  )
}

function Failed({ message }: { message: string }) {
  return (
    <CalmCard
      title="Verification failed"
      tone="error"
      takesFocus
      actions={
        <>
          <a className="button button-primary" href="/login">
            Go to Login
          </a>
          <Button onClick={() => void verification.verify()}>Try Again</Button>
          <a className="button button-quiet" href="/contact">
            Contact Support
          </a>
        </>
      }
    >
      <p role="alert">{message}</p>
      <p>Signed in, you can ask for a new link on the dashboard.</p>
    </CalmCard>
  )
}
