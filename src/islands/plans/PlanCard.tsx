import { useStore } from '@nanostores/react'
import type { Plan } from '../../contract/catalogue.ts'
import { PURCHASE } from '../../contract/messages.ts'
import { formatPrice } from '../../lib/money.ts'
import type { PurchaseState } from '../../stores/purchase-flow.ts'
import { busyLabel, isBusy } from '../../stores/purchase-flow.ts'
import { Button } from '../../ui/Button.tsx'
import { PurchaseNotice } from './PurchaseNotice.tsx'
import { planPurchase } from './store.ts'

interface Props {
  plan: Plan
  hasActivePlan: boolean
  onBuy: () => void
}

export function PlanCard({ plan, hasActivePlan, onBuy }: Props) {
  const state = useStore(planPurchase.$purchase, { ssr: 'initial' })
  return (
    <article className="card plan" aria-labelledby={`plan-${plan.id}`}>
      <h2 id={`plan-${plan.id}`}>{plan.name}</h2>
      <p className="plan-price">{formatPrice(plan.price, plan.currency)}</p>
      <p className="plan-note">{PURCHASE.oneTime}</p>
      <ul className="plan-features">
        {plan.features.map((feature) => (
          <li key={feature}>{feature}</li>
        ))}
      </ul>
      {hasActivePlan ? <AlreadyActive /> : <BuyButton state={state} onBuy={onBuy} />}
      <PurchaseNotice state={state} />
    </article>
  )
}

function BuyButton({ state, onBuy }: { state: PurchaseState; onBuy: () => void }) {
  return (
    <Button
      look="primary"
      isWide
      isBusy={isBusy(state)}
      busyLabel={busyLabel(state)}
      onClick={onBuy}
    >
      Buy Now
    </Button>
  )
}

function AlreadyActive() {
  return (
    <>
      <p className="plan-active">{PURCHASE.planActive}</p>
      <a className="button button-primary button-wide" href="/dashboard?buy=tokens">
        Buy a token pack
      </a>
    </>
  )
}
