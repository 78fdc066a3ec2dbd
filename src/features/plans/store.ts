import { PAGE } from '../../contract/messages.ts'
import { createPendingPurchase, type ChosenPlan } from './pending-purchase.ts'
import type { PlanOrder, PlanPurchase } from './plan-purchase.ts'
import { environment } from '../../lib/environment.ts'
import { createPlans } from './plans.ts'
import { createLastPurchases } from '../purchase-list/last-purchases.ts'
import { createShownPurchase, isBusy } from '../purchase/purchase-step.ts'

export const plans = createPlans()
/** Loaded once the buyer is known. */
export const purchases = createLastPurchases()
export const pendingPurchase = createPendingPurchase()
/** The purchase that the page shows; it is here before the script of a purchase is. */
export const shown = createShownPurchase()

let loaded: PlanPurchase | undefined

/** Loads the script of a purchase; the page calls this before the press on "Buy Now" where it can. */
export async function loadPlanPurchase(): Promise<PlanPurchase | null> {
  const part = await import('./plan-purchase.ts').catch(() => null)
  loaded ??= part?.createPlanPurchase(shown)
  return loaded ?? null
}

/**
 * Buys a plan. The page shows from the press on that the order is prepared. When the script of a purchase was lost, "Try Again"
 * reloads the page, because Chromium keeps a failed import, and the purchase goes on there.
 */
export async function buyPlan(chosen: ChosenPlan, order: PlanOrder) {
  const { $purchase, $planType } = shown
  if (isBusy($purchase.get())) return
  $planType.set(chosen.planType)
  $purchase.set({ step: 'ordering' })
  const store = await loadPlanPurchase()
  if (store !== null) {
    // A purchase starts only while the page shows none that is busy.
    $purchase.set({ step: 'idle' })
    return store.buy(chosen, order)
  }
  const again = () => {
    pendingPurchase.store(chosen)
    const { path, search } = environment.here()
    environment.navigateInstead(path + search)
  }
  $purchase.set({ step: 'stopped', message: PAGE.partMissing, isError: true, again })
}
