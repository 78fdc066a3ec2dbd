import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { PURCHASE } from '../../contract/messages.ts'
import { createPurchaseConfirmation } from './purchase-confirmation.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Redirecting } from '../../ui/Redirecting.tsx'
import { StatusCard } from '../../ui/StatusCard.tsx'
import { withErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { DownloadLink, type Downloads } from '../download/DownloadLink.tsx'
import { Bought } from './Bought.tsx'

const confirmation = createPurchaseConfirmation()

interface Props {
  downloads: Downloads
}

/** /subscription/success */
export default withErrorBoundary('your purchase', Success)

function Success({ downloads }: Props) {
  const state = useStore(confirmation.$confirmation, { ssr: 'initial' })
  useEffect(() => void confirmation.confirm(), [])
  if (state.step === 'verifying') {
    return (
      <StatusCard title="Verifying your payment">
        <Loading>This takes a few seconds.</Loading>
      </StatusCard>
    )
  }
  if (state.step === 'error') return <Failed message={state.message} />
  if (state.step === 'refunded') return <Refunded />
  return (
    <StatusCard
      title={state.isConfirmed ? 'Payment Successful' : 'Payment Received'}
      picture="paid"
      takesFocus
      next={['Go to Dashboard', '/dashboard']}
      actions={<DownloadLink downloads={downloads} />}
    >
      <p role="status">{state.message}</p>
      {state.isConfirmed && <Bought />}
      <Redirecting isStaying={state.secondsLeft === null} onStay={confirmation.stay}>
        <p aria-hidden="true">
          {`Taking you to your dashboard in ${state.secondsLeft} ${state.secondsLeft === 1 ? 'second' : 'seconds'}.`}
        </p>
        <p className="visually-hidden">You are taken to your dashboard in 5 seconds.</p>
      </Redirecting>
    </StatusCard>
  )
}

function Refunded() {
  return (
    <StatusCard
      title="Payment Refunded"
      takesFocus
      next={['Go to Dashboard', '/dashboard']}
      actions={<a href="/contact">Contact Support</a>}
    >
      <p role="status">
        {PURCHASE.refunded} The money goes to your original payment method, and the unused tokens of
        this purchase were removed.
      </p>
    </StatusCard>
  )
}

function Failed({ message }: { message: string }) {
  return (
    <StatusCard
      title="Payment Verification Failed"
      picture="unpaid"
      takesFocus
      next={['Back to Plans', '/subscription']}
      actions={
        <>
          <ButtonLink href="/dashboard">Go to Dashboard</ButtonLink>
          <a href="/contact">Contact Support</a>
        </>
      }
    >
      <p role="alert">{message}</p>
    </StatusCard>
  )
}
