import { ButtonLink } from '../../ui/Button.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { StatusCard } from '../../ui/StatusCard.tsx'

/** Anybody can put a text into the address of this page, so it is shown as a short quotation. */
const SHOWN_MAX = 120

/** /subscription/cancel */
export default function Cancel() {
  const query = new URLSearchParams(location.search)
  const paymentId = query.get('payment_id') ?? ''
  const error = query.get('error') ?? ''
  const { title, message, suggestion } = explain(query.get('reason') ?? '', paymentId !== '')
  return (
    <StatusCard
      title={title}
      picture="unpaid"
      next={['Back to Plans', '/subscription']}
      actions={<ButtonLink href="/dashboard">Go to Dashboard</ButtonLink>}
    >
      <p>{message}</p>
      <p>{suggestion}</p>
      {paymentId + error !== '' && (
        <dl className="facts">
          {paymentId !== '' && <Fact name="Payment ID">{paymentId.slice(0, SHOWN_MAX)}</Fact>}
          {error !== '' && (
            <Fact name="Error">
              <q>{error.slice(0, SHOWN_MAX)}</q>
            </Fact>
          )}
        </dl>
      )}
    </StatusCard>
  )
}

/** The text for each `reason` of /subscription/cancel. */
const CANCEL_REASONS = {
  payment_not_captured: {
    title: 'Payment Not Completed',
    message: 'Your bank did not complete the payment, so nothing was added to your account.',
    suggestion:
      'If you were charged, the money comes back automatically within a few days. Try again, or use another card.',
  },
  verification_failed: {
    title: 'Payment Verification Failed',
    message: 'We could not confirm that this payment belongs to your order.',
    suggestion: 'If you were charged, write to support with the payment ID below.',
  },
  processing_error: {
    title: 'Processing Error',
    message: 'Something went wrong while we were processing your payment.',
    suggestion:
      'If you paid, it will appear on your dashboard automatically. Check there before you try again.',
  },
} as const

const WITHOUT_PAYMENT_ID =
  'If you were charged, write to support with the date and the amount, and we will find the payment.'

const CANCELLED = {
  title: 'Subscription Cancelled',
  message: 'You left before the payment was finished.',
  suggestion:
    'If you did pay, it will appear on your dashboard automatically. If not, you can try again whenever you like.',
} as const

/** The text for a reason. It mentions the payment id only when there is one. */
function explain(reason: string, hasPaymentId: boolean) {
  if (!isReason(reason)) return CANCELLED
  const isUnnamed = reason === 'verification_failed' && !hasPaymentId
  return { ...CANCEL_REASONS[reason], ...(isUnnamed ? { suggestion: WITHOUT_PAYMENT_ID } : {}) }
}

function isReason(reason: string): reason is keyof typeof CANCEL_REASONS {
  return Object.hasOwn(CANCEL_REASONS, reason)
}
