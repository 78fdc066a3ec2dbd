import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { formatCount } from '../../lib/numbers.ts'
import { session } from '../session/session.ts'
import { createEmailVerification, isOfAnother } from './email-verification.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Redirecting } from '../../ui/Redirecting.tsx'
import { StatusCard } from '../../ui/StatusCard.tsx'
import { withErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { Loading } from '../../ui/Loading.tsx'

const verification = createEmailVerification()

/** /verify-email/{token} */
export default withErrorBoundary('the verification', VerifyEmail)

function VerifyEmail() {
  const state = useStore(verification.$verification, { ssr: 'initial' })
  useEffect(() => void verification.open(), [])
  if (state.step === 'waiting') return <Waiting />
  if (state.step === 'verifying') {
    return (
      <StatusCard title="Verifying your email">
        <Loading>One moment…</Loading>
      </StatusCard>
    )
  }
  if (state.step === 'failed') return <Failed message={state.message} />
  return <Verified {...state} />
}

/** What only a person does. A page scrolls by itself, but turns no wheel. */
const TOUCHES = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'] as const

function Waiting() {
  useEffect(() => {
    const stops = new AbortController()
    const verify = ({ isTrusted }: Event) => {
      if (!isTrusted) return
      stops.abort()
      void verification.verify()
    }
    const options = { signal: stops.signal, passive: true }
    for (const touch of TOUCHES) addEventListener(touch, verify, options)
    return () => stops.abort()
  }, [])
  return (
    <StatusCard
      title="Verify your email"
      actions={<Button onClick={() => void verification.verify()}>Verify email address</Button>}
    >
      <p>Please confirm that this address is yours.</p>
    </StatusCard>
  )
}

interface VerifiedProps {
  email: string
  trialTokens: number
}

function Verified({ email, trialTokens }: VerifiedProps) {
  const isStaying = useStore(verification.redirect.$isStaying, { ssr: 'initial' })
  const { status, user } = useStore(session.$session, { ssr: 'initial' })
  // The link may be opened on a device where nobody is signed in; the dashboard then leads on to the sign-in page.
  const isGuest = status === 'guest'
  return (
    <StatusCard
      title="Your address is verified"
      picture="verified"
      takesFocus
      next={isGuest ? ['Go to Login', '/login'] : ['Go to Dashboard', '/dashboard']}
    >
      <p>
        <Address>{email}</Address> is verified.
      </p>
      {trialTokens > 0 && (
        <p>{formatCount(trialTokens)} free tokens are in the account of this address.</p>
      )}
      {user !== null && isOfAnother(email, user) ? (
        <p>
          You are signed in here with another account, <Address>{user.email}</Address>. To use the
          account of the verified address, sign out first.
        </p>
      ) : (
        <Redirecting isStaying={isStaying} onStay={verification.redirect.stay}>
          <p>{`Taking you to ${isGuest ? 'the sign-in page' : 'your dashboard'} in 3 seconds.`}</p>
        </Redirecting>
      )}
      {isGuest && (
        <p>
          The account for this address is now yours. If someone else registered it, they know its
          password: <a href="/forgot-password">set your own</a>, which signs them out.
        </p>
      )}
    </StatusCard>
  )
}

const Address = ({ children }: { children: string }) => (
  <strong className="breakable" translate="no">
    {children}
  </strong>
)

function Failed({ message }: { message: string }) {
  return (
    <StatusCard
      title="Verification failed"
      picture="broken"
      takesFocus
      next={['Go to Login', '/login']}
      actions={
        <>
          <Button onClick={() => void verification.verify()}>Try Again</Button>
          <ButtonLink href="/contact">Contact Support</ButtonLink>
        </>
      }
    >
      <p role="alert">{message}</p>
      <p>Once signed in, you can request a new link on your dashboard.</p>
    </StatusCard>
  )
}
