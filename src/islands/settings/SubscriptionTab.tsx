import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { User } from '../../contract/account.ts'
import { formatDay } from '../../lib/dates.ts'
import { formatCount } from '../../lib/numbers.ts'
import { deps } from '../../stores/browser.ts'
import { createPlanSettings } from '../../stores/plan-settings.ts'
import { createPurchases } from '../../stores/purchases.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { ConfirmButton } from '../../ui/ConfirmButton.tsx'
import { Notice, RetryNotice } from '../../ui/Notice.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { periodWord, planName, STATUS_BADGE } from '../subscription/plan-words.ts'
import { PurchaseTable } from '../subscription/PurchaseTable.tsx'

const planSettings = createPlanSettings(deps)
const purchases = createPurchases({ ...deps, pageSize: 20 })

export default function SubscriptionTab({ user }: { user: User }) {
  useEffect(() => {
    void planSettings.load()
    void purchases.load()
  }, [])
  return (
    <>
      <CurrentPlan user={user} />
      <AllPurchases />
    </>
  )
}

function AllPurchases() {
  const state = useStore(purchases.$purchases)
  const { status } = state
  const rows = state.data?.purchases ?? []
  const hasMore = state.data !== null && state.data.nextCursor !== null
  return (
    <section className="card panel" aria-labelledby="purchases-title">
      <h2 id="purchases-title">Purchases</h2>
      {rows.length > 0 && <PurchaseTable purchases={rows} />}
      {rows.length === 0 && status === 'loading' && <Loading>Loading your purchases…</Loading>}
      {rows.length === 0 && status === 'ready' && (
        <p className="empty">Nothing bought yet. Receipts show up here.</p>
      )}
      {state.status === 'failed' && <Notice tone="error">{state.message}</Notice>}
      {(hasMore || status === 'failed') && (
        <Button
          size="small"
          isBusy={status === 'loading'}
          onClick={() => void (status === 'failed' ? purchases.load() : purchases.loadMore())}
        >
          {status === 'failed' ? 'Try Again' : 'Show more'}
        </Button>
      )}
    </section>
  )
}

type Plan = Pick<User, 'subscription' | 'tokens'>

/** Shows the plan in `user` until the server answers. */
function CurrentPlan({ user }: { user: Plan }) {
  const state = useStore(planSettings.$plan)
  return (
    <section className="card panel" aria-labelledby="plan-title">
      <h2 id="plan-title">Plan</h2>
      <PlanFacts plan={state.data ?? user} />
      {state.status === 'failed' && (
        <RetryNotice onRetry={planSettings.load}>{state.message}</RetryNotice>
      )}
    </section>
  )
}

function PlanFacts({ plan: { subscription, tokens } }: { plan: Plan }) {
  const { tone, text } = STATUS_BADGE[subscription.status]
  return (
    <>
      <dl className="facts facts-columns">
        <div>
          <dt>Plan</dt>
          <dd>
            {planName(subscription.plan)} <Badge tone={tone}>{text}</Badge>
          </dd>
        </div>
        {subscription.currentPeriodEnd !== null && subscription.status !== 'past_due' && (
          <div>
            <dt>{periodWord(subscription)}</dt>
            <dd>{formatDay(subscription.currentPeriodEnd)}</dd>
          </div>
        )}
        <div>
          <dt>Tokens left</dt>
          <dd>
            {formatCount(Math.max(0, tokens.total - tokens.used))} of {formatCount(tokens.total)}
          </dd>
        </div>
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
  return <ConfirmButton {...(subscription.cancelAtPeriodEnd ? REACTIVATE : CANCEL)} />
}

const REACTIVATE = {
  label: 'Reactivate subscription',
  title: 'Keep your plan?',
  yes: 'Reactivate',
  no: 'Not now',
  onYes: planSettings.reactivate,
  children: 'Your plan goes on as before. Nothing is charged.',
}

const CANCEL = {
  label: 'Cancel subscription',
  title: 'Cancel your plan?',
  yes: 'Cancel at the end of the period',
  no: 'Keep my plan',
  isDangerous: true,
  onYes: planSettings.cancel,
  children:
    'It stays active until its period ends, and so do its tokens. Until then you can reactivate it.',
}
