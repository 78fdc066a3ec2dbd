import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { PAGE } from '../../contract/messages.ts'
import { CURRENCY_OPTIONS } from '../../lib/numbers.ts'
import { session } from '../session/session.ts'
import { toasts } from '../toasts/toasts.ts'
import type { ChosenPlan } from './pending-purchase.ts'
import { PURCHASE_PARAMETER } from '../purchase/purchase-step.ts'
import { withErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { onDemand, useEver } from '../../ui/on-demand.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { useUser } from '../session/use-user.ts'
import { QuestionStep } from '../purchase/QuestionStep.tsx'
import { ConfirmingNotice } from '../purchase-list/ConfirmingNotice.tsx'
import { PlanList } from './PlanList.tsx'
import { buyPlan, loadPlanPurchase, pendingPurchase, plans, purchases, shown } from './store.ts'

const SignInDialog = onDemand('the sign-in', () => import('./SignInDialog.tsx'))

/** The plans of /subscription, and buying one. */
export default withErrorBoundary('the plans', Plans)

function Plans() {
  const [chosen, setChosen] = useState<ChosenPlan | null>(null)
  const isUsed = useEver(chosen !== null)
  const user = useUser()
  const state = useStore(shown.$purchase, { ssr: 'initial' })
  const { currency } = useStore(plans.$plans, { ssr: 'initial' })
  const preferred = user?.preferences.currency

  useEffect(() => {
    void continuePending()
    void plans.load()
  }, [])
  useEffect(() => {
    if (preferred === undefined) return
    void plans.prefer(preferred)
    void continuePending()
    void resume()
    void purchases.load()
  }, [preferred])

  const handleBuy = async (plan: ChosenPlan) => {
    // The account may prefer another currency, but this is the price that the buyer saw.
    void plans.choose(plan.currency)
    const { status } = await session.whenKnown()
    // Without an answer of the server the purchase itself says so.
    if (status === 'guest') setChosen(plan)
    else await buyPlan(plan, 'createOrder')
  }
  const handleSignedIn = async () => {
    setChosen(null)
    // Closing the dialog does not stop the sign-in, but it stops the purchase.
    if (chosen !== null) await buyPlan(chosen, 'createSubscription')
  }

  return (
    <div className="plans" onPointerOver={loadPlanPurchase} onFocus={loadPlanPurchase}>
      <ConfirmingNotice purchases={purchases} />
      <Segments
        legend="Currency"
        name="currency"
        value={currency}
        options={CURRENCY_OPTIONS}
        onValue={(chosen) => void plans.choose(chosen)}
      />
      <PlanList onBuy={(plan) => void handleBuy(plan)} />
      <QuestionStep state={state} onClose={shown.leaveQuestion} />
      {isUsed && (
        <SignInDialog
          isOpen={chosen !== null}
          onClose={() => setChosen(null)}
          onLeave={() => chosen !== null && pendingPurchase.store(chosen)}
          onSignedIn={() => void handleSignedIn()}
        />
      )}
    </div>
  )
}

/** Shows the status of an unfinished purchase, and the plans in its currency; says so when the script for it is missing. */
async function resume() {
  if (!location.search.includes(PURCHASE_PARAMETER)) return
  const store = await loadPlanPurchase()
  if (store === null) toasts.error(PAGE.partMissing)
  const currency = (await store?.resume()) ?? null
  if (currency !== null) await plans.prefer(currency)
}

/** Opens the checkout for a buyer who returns with a new account, as the sign-in modal does for other buyers. */
async function continuePending() {
  const { status, user } = await session.whenKnown()
  // The plan waits for the answer of the server too.
  if (status === 'unreachable') return
  const pending = pendingPurchase.take()
  if (pending === null || user === null || user.subscription.status === 'active') return
  await plans.choose(pending.currency)
  await buyPlan(pending, 'createSubscription')
}
