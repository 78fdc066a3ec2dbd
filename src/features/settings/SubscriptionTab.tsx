import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { User } from '../../contract/account.ts'
import { REFUND_DAYS } from '../../contract/limits.ts'
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
      <CurrentPlan user={user} />
      <AllPurchases purchases={purchases} onWithdraw={setRequest} />
      {isTaxed && <BillingSection user={user} />}
      {request !== null && <Withdrawal request={request} onAsked={load} />}
    </>
  )
}

type Plan = Pick<User, 'subscription' | 'tokens'>

/** Shows the plan in `user` until the server answers. */
function CurrentPlan({ user }: { user: Plan }) {
  const state = useStore(planSettings.$plan)
  return (
    <Panel title="Plan">
      <PlanFacts plan={state.data ?? user} />
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
    <>
      <dl className="facts facts-columns">
        <Fact name="Plan">
          <span>{planName(subscription.plan)}</span> <Badge tone={tone}>{text}</Badge>
        </Fact>
        {date !== null && <Fact name={date.word}>{formatDay(date.day)}</Fact>}
        <Fact name="Tokens left">
          {subscription.status === 'past_due' ? left : `${left} of ${formatCount(tokens.total)}`}
        </Fact>
      </dl>
      <PlanActions subscription={subscription} />
    </>
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
      <ConfirmButton {...(subscription.cancelAtPeriodEnd ? REACTIVATE : CANCEL)} />
      <p className="row-note">
        Cancelling does not refund you: you keep the plan until its period ends. To get money back
        for unused tokens, request a refund within {REFUND_DAYS} days of paying.
      </p>
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
  children: `It stays active until its period ends, and you can reactivate it until then. Unused tokens stay in your account. This is not a refund: within ${REFUND_DAYS} days of paying, you can request one under Purchases.`,
}
