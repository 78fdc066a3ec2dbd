import { useStore } from '@nanostores/react'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { Purchase } from '../../contract/receipt.ts'
import type { User } from '../../contract/account.ts'
import { formatDay, monthInIndia } from '../../lib/dates.ts'
import { loadPart } from '../../lib/load-part.ts'
import { mailedRefund, type WithdrawalRequest } from '../../lib/mailed-refund.ts'
import { formatCount, formatMinor } from '../../lib/numbers.ts'
import { deps } from '../../stores/browser.ts'
import { createPlanSettings } from '../../stores/plan-settings.ts'
import { createPurchases } from '../../stores/purchases.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { ConfirmButton } from '../../ui/ConfirmButton.tsx'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { Notice, RetryNotice } from '../../ui/Notice.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { planDay, planName, STATUS_BADGE } from '../subscription/plan-words.ts'
import { ReceiptBooks } from './ReceiptBooks.tsx'
import { PurchaseTable } from '../subscription/PurchaseTable.tsx'

const planSettings = createPlanSettings(deps)
const purchases = createPurchases({ ...deps, pageSize: 20 })
const BillingSection = lazy(() => loadPart(() => import('./BillingSection.tsx')))
const Withdrawal = lazy(() => loadPart(() => import('./Withdrawal.tsx')))

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
    load()
    const mailed = mailedRefund(location.hash)
    if (mailed === null) return
    history.replaceState(null, '', location.search)
    setRequest(mailed)
  }, [])
  return (
    <>
      <CurrentPlan user={user} />
      <AllPurchases onWithdraw={setRequest} />
      {isTaxed && (
        <ErrorBoundary of="the invoice address">
          <Suspense>
            <BillingSection user={user} />
          </Suspense>
        </ErrorBoundary>
      )}
      {request !== null && (
        <ErrorBoundary of="the refund">
          <Suspense>
            <Withdrawal request={request} onAsked={load} />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  )
}

interface WithdrawProps {
  onWithdraw: (request: WithdrawalRequest) => void
}

function AllPurchases({ onWithdraw }: WithdrawProps) {
  const state = useStore(purchases.$purchases)
  const { status } = state
  const rows = state.data?.purchases ?? []
  const months = monthsOf(rows)
  const hasMore = state.data !== null && state.data.nextCursor !== null
  return (
    <section className="card panel" aria-labelledby="purchases-title">
      <h2 id="purchases-title">Purchases</h2>
      {rows.length > 0 && <PurchaseTable purchases={rows} />}
      {months.length > 0 && <ReceiptBooks months={months} />}
      <Withdrawable rows={rows} onWithdraw={onWithdraw} />
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

interface WithdrawableProps extends WithdrawProps {
  rows: readonly Purchase[]
}

/** Each purchase that can be withdrawn from, with the button that does it, and those that were. */
function Withdrawable({ rows, onWithdraw }: WithdrawableProps) {
  const shown = rows.filter(({ refund, refundableUntil }) => refund ?? refundableUntil)
  if (shown.length === 0) return null
  return (
    <>
      <h3>Refunds</h3>
      <ul className="rows">
        {shown.map((purchase) => (
          <li key={purchase.purchaseId}>
            <div>
              {purchase.item} of {formatDay(purchase.paidAt ?? purchase.createdAt)}
              <p className="row-note">{refundNote(purchase)}</p>
            </div>
            {purchase.refundableUntil !== null && (
              <Button
                size="small"
                onClick={() => {
                  onWithdraw({ purchaseId: purchase.purchaseId })
                }}
              >
                Withdraw from this contract
              </Button>
            )}
          </li>
        ))}
      </ul>
      <p className="row-note">
        <a href="/refunds">How refunds work</a>
      </p>
    </>
  )
}

function refundNote({ refund, refundableUntil, currency }: Purchase): string {
  if (refund === null) {
    return `Until ${formatDay(refundableUntil ?? '')} you can have back what you did not use.`
  }
  const { amount, askedAt, sentAt } = refund
  const state = sentAt === null ? 'It is on its way.' : `Sent on ${formatDay(sentAt)}.`
  return `You asked for ${formatMinor(amount, currency)} back on ${formatDay(askedAt)}. ${state}`
}

/** The months in which the purchases were paid or refunded at the earliest, newest first. */
function monthsOf(rows: readonly Purchase[]): string[] {
  const paid = rows.flatMap(({ paidAt }) => (paidAt === null ? [] : [monthInIndia(paidAt)]))
  return [...new Set(paid)].toSorted().toReversed()
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
  const date = planDay(subscription)
  const left = formatCount(Math.max(0, tokens.total - tokens.used))
  return (
    <>
      <dl className="facts facts-columns">
        <div>
          <dt>Plan</dt>
          <dd>
            {planName(subscription.plan)} <Badge tone={tone}>{text}</Badge>
          </dd>
        </div>
        {date !== null && (
          <div>
            <dt>{date.word}</dt>
            <dd>{formatDay(date.day)}</dd>
          </div>
        )}
        <div>
          <dt>Tokens left</dt>
          <dd>
            {subscription.status === 'past_due' ? left : `${left} of ${formatCount(tokens.total)}`}
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
  yes: 'Cancel my plan',
  no: 'Keep my plan',
  isDangerous: true,
  onYes: planSettings.cancel,
  children:
    'It stays active until its period ends; until then you can reactivate it. Tokens that you have not used stay in your account.',
}
