import { lazy, Suspense, useEffect, useState } from 'react'
import type { Currency } from '../../contract/catalogue.ts'
import { loadPart } from '../../lib/load-part.ts'
import { session } from '../../stores/browser.ts'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import type { PurchaseWish } from '../../stores/purchase-wish.ts'
import { useUser } from '../session/use-user.ts'
import { CurrencySwitch } from './CurrencySwitch.tsx'
import { PlanList } from './PlanList.tsx'
import { $purchase, loadPurchase, plans, purchaseWish } from './store.ts'

const SignInDialog = lazy(() => loadPart(() => import('./SignInDialog.tsx')))

interface Props {
  /** As the payment window names the seller. */
  sellerName?: string
}

/** The plans of /subscription, and buying one. */
export default function Plans({ sellerName = 'Sotto' }: Props) {
  return (
    <ErrorBoundary of="the plans">
      <PlansBody sellerName={sellerName} />
    </ErrorBoundary>
  )
}

function PlansBody({ sellerName }: { sellerName: string }) {
  const [wish, setWish] = useState<PurchaseWish | null>(null)
  const [isAsked, setIsAsked] = useState(false)
  const user = useUser()
  const preferred = user?.preferences.currency

  useEffect(() => {
    void goOn(sellerName)
    void plans.load()
  }, [sellerName])
  useEffect(() => {
    if (preferred === undefined) return
    void plans.prefer(preferred)
    if (location.search === '') return
    void resume(sellerName)
  }, [preferred, sellerName])

  const handleBuy = async (planType: string, currency: Currency) => {
    const { status } = await session.whenKnown()
    if (status === 'signed-in') {
      await buy(sellerName, { planType, currency })
      return
    }
    setWish({ planType, currency })
    setIsAsked(true)
  }
  const handleSignedIn = async () => {
    setIsAsked(false)
    if (wish === null) return
    const purchase = await loadPurchase(sellerName)
    await purchase?.subscribe(wish.planType, wish.currency)
  }

  return (
    <div className="plans">
      <CurrencySwitch />
      <PlanList
        hasActivePlan={user?.subscription.status === 'active'}
        onBuy={(planType, currency) => void handleBuy(planType, currency)}
      />
      {wish !== null && (
        <Suspense>
          <SignInDialog
            isOpen={isAsked}
            onClose={() => {
              setIsAsked(false)
            }}
            onRegister={() => {
              purchaseWish.keep(wish)
            }}
            onSignedIn={() => void handleSignedIn()}
          />
        </Suspense>
      )}
    </div>
  )
}

async function buy(sellerName: string, { planType, currency }: PurchaseWish) {
  if ($purchase.get().step === 'idle') $purchase.set({ step: 'ordering' })
  const purchase = await loadPurchase(sellerName)
  await purchase?.buy(planType, currency)
}

/** A purchase that is not finished is shown in its own currency. */
async function resume(sellerName: string) {
  const purchase = await loadPurchase(sellerName)
  const currency = (await purchase?.resume()) ?? null
  if (currency !== null) await plans.prefer(currency)
}

/** Whoever pressed Buy Now and made an account for it comes back to the checkout, as after signing in. */
async function goOn(sellerName: string) {
  const wish = purchaseWish.take()
  if (wish === null) return
  const { user } = await session.whenKnown()
  if (user === null || user.subscription.status === 'active') return
  await plans.choose(wish.currency)
  const purchase = await loadPurchase(sellerName)
  await purchase?.subscribe(wish.planType, wish.currency)
}
