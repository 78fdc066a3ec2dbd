import { useEffect, useState } from 'react'
import type { Currency } from '../../contract/catalogue.ts'
import { session } from '../../stores/browser.ts'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { useUser } from '../session/use-user.ts'
import { CurrencySwitch } from './CurrencySwitch.tsx'
import { PlanList } from './PlanList.tsx'
import { SignInDialog } from './SignInDialog.tsx'
import { makePurchase, plans } from './store.ts'

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
  const [purchase] = useState(() => makePurchase(sellerName))
  const [wanted, setWanted] = useState<{ planType: string; currency: Currency } | null>(null)
  const user = useUser()
  const preferred = user?.preferences.currency

  useEffect(() => {
    void plans.load()
  }, [])
  useEffect(() => {
    if (preferred === undefined) return
    void plans.prefer(preferred)
    void purchase.resume()
  }, [preferred, purchase])

  const handleBuy = async (planType: string, currency: Currency) => {
    const { status } = await session.whenKnown()
    if (status === 'signed-in') await purchase.buy(planType, currency)
    else setWanted({ planType, currency })
  }

  return (
    <div className="plans">
      <CurrencySwitch />
      <PlanList
        purchase={purchase}
        hasActivePlan={user?.subscription.status === 'active'}
        onBuy={(planType, currency) => void handleBuy(planType, currency)}
      />
      <SignInDialog
        isOpen={wanted !== null}
        onClose={() => {
          setWanted(null)
        }}
        onSignedIn={() => {
          setWanted(null)
          if (wanted !== null) void purchase.subscribe(wanted.planType, wanted.currency)
        }}
      />
    </div>
  )
}
