import { useEffect, useState } from 'react'
import { CalmCard } from '../../ui/CalmCard.tsx'
import { explain } from './cancel-reasons.ts'

interface Parameters {
  reason: string | null
  paymentId: string | null
  error: string | null
}

const NONE: Parameters = { reason: null, paymentId: null, error: null }
const SHOWN_MAX = 300

/** /subscription/cancel */
export default function Cancel() {
  const [{ reason, paymentId, error }, setParameters] = useState(NONE)
  useEffect(() => {
    const query = new URLSearchParams(location.search)
    setParameters({
      reason: query.get('reason') || null,
      paymentId: query.get('payment_id') || null,
      error: query.get('error') || null,
    })
  }, [])
  const { title, message, suggestion } = explain(reason, paymentId !== null)
  return (
    <CalmCard
      title={title}
      tone={reason === null ? 'plain' : 'error'}
      actions={
        <>
          <a className="button button-primary" href="/subscription">
            Back to Plans
          </a>
          <a className="button button-secondary" href="/dashboard">
            Go to Dashboard
          </a>
        </>
      }
    >
      <p>{message}</p>
      <p>{suggestion}</p>
      {(paymentId ?? error) !== null && (
        <dl className="facts">
          {paymentId !== null && <Fact name="Payment id" value={paymentId} />}
          {error !== null && <Fact name="Error" value={error} />}
        </dl>
      )}
    </CalmCard>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="breakable">{value.slice(0, SHOWN_MAX)}</dd>
    </div>
  )
}
