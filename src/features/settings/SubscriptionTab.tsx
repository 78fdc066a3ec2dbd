import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { User } from '../../contract/account.ts'
import { REFUND_TERMS } from '../../contract/messages.ts'
import { formatDay } from '../../lib/dates.ts'
import { mailedRefund, type WithdrawalRequest } from '../../lib/mailed-refund.ts'
import { formatCount } from '../../lib/numbers.ts'
import { createPlanSettings } from './plan-settings.ts'
import { createPurchases } from './purchases.ts'
import { Fact } from '../../ui/Fact.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { ConfirmButton } from '../../ui/ConfirmButton.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { RetryNotice } from '../../ui/Notice.tsx'
import { planDay, planName, STATUS_BADGE } from '../../lib/plan-words.ts'
import { AllPurchases } from './AllPurchases.tsx'
import { PlanRefund } from './PlanRefund.tsx'

const planSettings = createPlanSettings()
const purchases = createPurchases()
const BillingSection = onDemand('the billing details', () => import('./BillingSection.tsx'))
const Withdrawal = onDemand('the refund', () => import('./Withdrawal.tsx'))

function load() {
  void planSettings.load()
  void purchases.load()
}

interface Props {
  user: User
  /** Whether prices include tax. */
  isTaxed: boolean
}

export default function SubscriptionTab({ user, isTaxed }: Props) {
  const [request, setRequest] = useState<WithdrawalRequest | null>(null)
  useEffect(() => {
    void planSettings.load()
    const mailed = mailedRefund(location.hash)
    if (mailed === null) return
    history.replaceState(null, '', location.search)
    setRequest(mailed)
  }, [])
  return (
    <>
      <CurrentPlan user={user} onWithdraw={setRequest} />
      <AllPurchases purchases={purchases} onWithdraw={setRequest} />
      {isTaxed && <BillingSection user={user} />}
      {request !== null && <Withdrawal request={request} onAsked={load} />}
    </>
  )
}

type Plan = Pick<User, 'subscription' | 'tokens'>

interface PlanProps {
  user: Plan
  onWithdraw: (request: WithdrawalRequest) => void
}

/** Shows the plan in `user` until the server answers. */
function CurrentPlan({ user, onWithdraw }: PlanProps) {
  const state = useStore(planSettings.$plan)
  const plan = state.data ?? user
  const bought = useStore(purchases.$resource).data?.rows.find(
    ({ item, state: paid, refundableUntil }) =>
      paid === 'paid' && item === planName(plan.subscription.plan) && refundableUntil !== null,
  )
  return (
    <Panel title="Plan">
      <PlanFacts plan={plan} />
      {bought !== undefined && (
        <PlanRefund
          purchaseId={bought.purchaseId}
          onWithdraw={() => onWithdraw({ purchaseId: bought.purchaseId })}
        />
      )}
      <PlanActions subscription={plan.subscription} />
      {state.status === 'failed' && (
        <RetryNotice onRetry={planSettings.load}>{state.message}</RetryNotice>
      )}
    </Panel>
  )
}

function PlanFacts({ plan: { subscription, tokens } }: { plan: Plan }) {
  const { tone, text } = STATUS_BADGE[subscription.status]
  const date = planDay(subscription)
  const left = formatCount(Math.max(0, tokens.total - tokens.used))
  return (
    <dl className="facts facts-columns">
      <Fact name="Plan">
        <span>{planName(subscription.plan)}</span> <Badge tone={tone}>{text}</Badge>
      </Fact>
      {date !== null && <Fact name={date.word}>{formatDay(date.day)}</Fact>}
      <Fact name="Tokens left">
        {subscription.status === 'past_due' ? left : `${left} of ${formatCount(tokens.total)}`}
      </Fact>
    </dl>
  )
}

function PlanActions({ subscription }: { subscription: Plan['subscription'] }) {
  if (subscription.status !== 'active') {
    return (
      <ButtonLink look="primary" href="/subscription">
        See plans
      </ButtonLink>
    )
  }
  // One button for both, so that the focus has where to return to.
  return (
    <>
      <p className="small muted">
        Your plan never renews, so nothing has to be stopped. Cancelling does not refund you: it
        only marks the plan to end on its last day, as it does anyway.
      </p>
      <ConfirmButton {...(subscription.cancelAtPeriodEnd ? REACTIVATE : CANCEL)} />
    </>
  )
}

const REACTIVATE = {
  label: 'Reactivate subscription',
  title: 'Keep your plan?',
  yes: 'Reactivate',
  no: 'Not now',
  onYes: planSettings.reactivate,
  children: 'Your plan continues as before. Nothing is charged.',
}

const CANCEL = {
  label: 'Cancel subscription',
  title: 'Cancel your plan?',
  yes: 'Cancel my plan',
  no: 'Keep my plan',
  isDangerous: true,
  onYes: planSettings.cancel,
  children: `It never renews: it stays active until its period ends, and you can reactivate it until then. Tokens that you have stay usable. This is not a refund. ${REFUND_TERMS}`,
}
