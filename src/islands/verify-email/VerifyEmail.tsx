import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { TOAST } from '../../contract/messages.ts'
import { createEmailVerification } from '../../stores/email-verification.ts'
import { deps } from '../../stores/browser.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { StatusCard } from '../../ui/StatusCard.tsx'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { Loading } from '../../ui/Loading.tsx'

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
      <StatusCard title="Verifying your email">
        <Loading>One moment…</Loading>
      </StatusCard>
    )
  }
  return state.step === 'verified' ? <Verified /> : <Failed message={state.message} />
}

function Verified() {
  return (
    <StatusCard
      title={TOAST.emailVerified}
      tone="success"
      takesFocus
      actions={
        <ButtonLink look="primary" href="/dashboard">
          Go to Dashboard
        </ButtonLink>
      }
    >
      <p>Taking you to your dashboard in 3 seconds.</p>
    </StatusCard>
  )
}

function Failed({ message }: { message: string }) {
  return (
    <StatusCard
      title="Verification failed"
      tone="error"
      takesFocus
      actions={
        <>
          <ButtonLink look="primary" href="/login">
            Go to Login
          </ButtonLink>
          <Button onClick={() => void verification.verify()}>Try Again</Button>
          <ButtonLink look="muted" href="/contact">
            Contact Support
          </ButtonLink>
        </>
      }
    >
      <p role="alert">{message}</p>
      <p>Signed in, you can ask for a new link on the dashboard.</p>
    </StatusCard>
  )
}
