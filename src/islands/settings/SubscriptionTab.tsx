import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { User } from '../../contract/account.ts'
import { formatDay } from '../../lib/dates.ts'
import { formatCount } from '../../lib/numbers.ts'
import { deps } from '../../stores/browser.ts'
import { createPlanSettings } from '../../stores/plan-settings.ts'
import { createPurchases } from '../../stores/purchases.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Question } from '../../ui/Question.tsx'
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
  const { status, purchases: rows, nextCursor, message } = useStore(purchases.$purchases)
  return (
    <section className="card panel" aria-labelledby="purchases-title">
      <h2 id="purchases-title">Purchases</h2>
      {rows.length > 0 && <PurchaseTable purchases={rows} />}
      {rows.length === 0 && status === 'loading' && <Loading>Loading your purchases…</Loading>}
      {rows.length === 0 && status === 'ready' && (
        <p className="empty">Nothing bought yet. Receipts show up here.</p>
      )}
      {message !== null && <Notice tone="error">{message}</Notice>}
      {(nextCursor !== null || status === 'failed') && (
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

/** What the session knows of the plan stands there at once; what the server says of it now takes its place. */
function CurrentPlan({ user }: { user: Plan }) {
  const state = useStore(planSettings.$plan)
  return (
    <section className="card panel" aria-labelledby="plan-title">
      <h2 id="plan-title">Plan</h2>
      <PlanFacts plan={state.data ?? user} />
      {state.status === 'failed' && (
        <Notice
          tone="error"
          actions={
            <Button size="small" onClick={() => void planSettings.load()}>
              Try Again
            </Button>
          }
        >
          {state.message}
        </Notice>
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
        {subscription.currentPeriodEnd !== null && (
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
      <a className="button button-primary" href="/subscription">
        See plans
      </a>
    )
  }
  return subscription.cancelAtPeriodEnd ? <Reactivate /> : <CancelPlan />
}

function Reactivate() {
  const isBusy = useStore(planSettings.$isBusy)
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Button
        isBusy={isBusy}
        onClick={() => {
          setIsAsking(true)
        }}
      >
        Reactivate subscription
      </Button>
      <Question
        title="Keep your plan?"
        isOpen={isAsking}
        yes="Reactivate"
        no="Not now"
        onYes={planSettings.reactivate}
        onClose={() => {
          setIsAsking(false)
        }}
      >
        The cancellation is taken back. Nothing is charged.
      </Question>
    </>
  )
}

function CancelPlan() {
  const isBusy = useStore(planSettings.$isBusy)
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Button
        isBusy={isBusy}
        onClick={() => {
          setIsAsking(true)
        }}
      >
        Cancel subscription
      </Button>
      <Question
        title="Cancel your plan?"
        isOpen={isAsking}
        yes="Cancel at the end of the period"
        no="Keep my plan"
        isDangerous
        onYes={planSettings.cancel}
        onClose={() => {
          setIsAsking(false)
        }}
      >
        It stays active until its period ends, and so do its tokens. Until then you can reactivate
        it.
      </Question>
    </>
  )
}
