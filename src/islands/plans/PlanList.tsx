import { useStore } from '@nanostores/react'
import type { Currency } from '../../contract/catalogue.ts'
import { TOAST } from '../../contract/messages.ts'
import { formatPrice } from '../../lib/money.ts'
import { formatCount } from '../../lib/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Waiting } from '../../ui/Waiting.tsx'
import { PlanCard } from './PlanCard.tsx'
import { plans } from './store.ts'

interface Props {
  hasActivePlan: boolean
  onBuy: (planType: string, currency: Currency) => void
}

export function PlanList({ hasActivePlan, onBuy }: Props) {
  const state = useStore(plans.$plans, { ssr: 'initial' })
  if (state.status === 'failed') {
    const retry = <Button onClick={() => void plans.load()}>Try Again</Button>
    return (
      <Notice tone="error" actions={retry}>
        {TOAST.plansFailed}
      </Notice>
    )
  }
  if (state.plans.length === 0) return <Waiting>Loading the plans…</Waiting>
  return (
    <>
      <ul className="plan-list" aria-busy={state.status === 'loading'}>
        {state.plans.map((plan) => (
          <li key={plan.id}>
            <PlanCard
              plan={plan}
              hasActivePlan={hasActivePlan}
              onBuy={() => {
                onBuy(plan.id, state.currency)
              }}
            />
          </li>
        ))}
      </ul>
      {state.tokenPack !== null && (
        <p className="plan-pack">
          With an active plan you can add token packs: {formatCount(state.tokenPack.tokens)} tokens
          for {formatPrice(state.tokenPack.price, state.tokenPack.currency)}.
        </p>
      )}
    </>
  )
}
