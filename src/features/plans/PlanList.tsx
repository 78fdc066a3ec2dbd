import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { Plan } from '../../contract/plans.ts'
import { answersIn } from '../../contract/answers.ts'
import { buyLabel } from '../../contract/catalogue.ts'
import { PURCHASE, REFUND_TERMS, SEEN_BY_OTHERS } from '../../contract/messages.ts'
import { formatCount, formatPrice } from '../../lib/numbers.ts'
import { sayHere, seenOn } from '../../lib/seen-by-others.ts'
import { busyLabel, isBusy } from '../purchase/purchase-step.ts'
import { AcceptedTerms } from '../../ui/AcceptedTerms.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { RetryNotice } from '../../ui/Notice.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { useEver } from '../../ui/on-demand.tsx'
import { PurchaseNotice } from '../purchase/PurchaseNotice.tsx'
import type { ChosenPlan } from './pending-purchase.ts'
import { plans, shown } from './store.ts'

interface Props {
  onBuy: (chosen: ChosenPlan) => void
}

export function PlanList({ onBuy }: Props) {
  const state = useStore(plans.$plans, { ssr: 'initial' })
  if (state.status === 'failed') {
    return <RetryNotice onRetry={plans.load}>We could not load the plans.</RetryNotice>
  }
  if (state.plans.length === 0) return <Loading>Loading the plans…</Loading>
  return (
    <>
      <ul className="columns plan-list" aria-busy={state.status === 'loading'}>
        {state.plans.map((plan) => (
          <li key={plan.id}>
            <PlanCard
              plan={plan}
              isChanging={state.status === 'loading'}
              onBuy={() => onBuy({ planType: plan.id, currency: plan.currency, price: plan.price })}
            />
          </li>
        ))}
      </ul>
      {state.tokenPack !== null && (
        <p className="muted">
          Need more? A token pack adds {formatCount(state.tokenPack.tokens)} tokens to an active
          plan for{' '}
          <span translate="no">{formatPrice(state.tokenPack.price, state.tokenPack.currency)}</span>
          . They last until you use them.
        </p>
      )}
    </>
  )
}

interface CardProps {
  plan: Plan
  /** The price in the chosen currency is not here yet: the card shows another. */
  isChanging: boolean
  onBuy: () => void
}

function PlanCard({ plan, isChanging, onBuy }: CardProps) {
  const state = useStore(shown.$purchase, { ssr: 'initial' })
  const isOwn = useStore(shown.$planType, { ssr: 'initial' }) === plan.id
  // A reload shows the purchase too, and leaves the reader at the top.
  const wasBusy = useEver(isBusy(state))
  return (
    <article className="card plan" aria-labelledby={`plan-${plan.id}`}>
      <h2 id={`plan-${plan.id}`}>{plan.name}</h2>
      <p className="plan-price" translate="no">
        {formatPrice(plan.price, plan.currency)}
      </p>
      <p className="muted">{PURCHASE.oneTime}</p>
      {/* The page's HTML has both for everyone: a style shows one of them before any script has arrived. */}
      <div className="plan-active">
        <p>{PURCHASE.planActive}</p>
        <ButtonLink look="primary" isWide href="/dashboard?buy=tokens">
          Buy a token pack
        </ButtonLink>
      </div>
      {isOwn && <PurchaseNotice state={state} takesFocus={wasBusy} />}
      <div className="plan-buy">
        <Button
          look="primary"
          isWide
          isBusy={isChanging || isBusy(state)}
          busyLabel={isOwn && !isChanging ? busyLabel(state) : undefined}
          onClick={onBuy}
        >
          {buyLabel(plan.name)}
        </Button>
        <p className="small">
          {REFUND_TERMS} <a href="/refunds">How refunds work</a>
        </p>
        <AcceptedTerms by="buying" />
      </div>
      <p className="display plan-worth">About {formatCount(answersIn(plan.tokens))} answers</p>
      <ul className="columns plan-features">
        {plan.features.map((feature) => (
          <li key={feature}>{feature}</li>
        ))}
      </ul>
      <p className="small muted">
        For Windows 10/11 and macOS 10.15 or later. <a href="/screen-sharing">What others see</a>
        <br />
        <SeenByOthers />
      </p>
    </article>
  )
}

function SeenByOthers() {
  useEffect(() => sayHere(seenOn), [])
  return <span data-seen>{SEEN_BY_OTHERS}</span>
}
