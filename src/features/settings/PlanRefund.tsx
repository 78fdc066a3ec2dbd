import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { formatDay } from '../../lib/dates.ts'
import { formatMinor } from '../../contract/amount.ts'
import { Button } from '../../ui/Button.tsx'
import { createResource } from '../resource/resource.ts'
import { session } from '../session/session.ts'

interface Props {
  purchaseId: string
  onWithdraw: () => void
}

/** What comes back of the plan, and the way to it; or why nothing comes back. */
export function PlanRefund({ purchaseId, onWithdraw }: Props) {
  const [quote] = useState(() =>
    createResource(() =>
      session.call('GET /api/payment/refunds/{purchaseId}', { params: { purchaseId } }),
    ),
  )
  useEffect(() => void quote.load(), [quote])
  const state = useStore(quote.$resource)
  if (state.status === 'failed') return <p className="small muted">{state.message}</p>
  const refund = state.data?.refund
  return (
    <>
      <Button onClick={onWithdraw}>Get a refund</Button>
      <p className="small muted">
        {refund &&
          `${formatMinor(refund.amount, refund.currency)} is refunded for the tokens that you have not used, and the plan ends. You can ask until ${formatDay(refund.until)}.`}
      </p>
    </>
  )
}
