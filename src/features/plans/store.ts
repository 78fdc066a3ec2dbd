import { PURCHASE } from '../../contract/messages.ts'
import { createPendingPurchase } from './pending-purchase.ts'
import type { PlanPurchase } from './plan-purchase.ts'
import { createPlans } from './plans.ts'
import { createLastPurchases } from '../purchases/last-purchases.ts'
import { createPurchaseState, isBusy, stopped } from '../purchase/purchase-state.ts'

export const plans = createPlans()
/** Loaded once the buyer is known. */
export const purchases = createLastPurchases()
export const pendingPurchase = createPendingPurchase()
/** The purchase that the page shows; it is here before the script of a purchase is. */
export const shown = createPurchaseState()

let loaded: PlanPurchase | undefined

/** Loads the script of a purchase; the page calls this before the press on "Buy Now" where it can. */
export async function loadPurchase(): Promise<PlanPurchase | null> {
  const part = await import('./plan-purchase.ts').catch(() => null)
  loaded ??= part?.createPlanPurchase(shown)
  return loaded ?? null
}

/** Buys a plan. The page shows from the press on that the order is prepared. */
export async function purchase(planType: string, order: (store: PlanPurchase) => Promise<void>) {
  const { $purchase, $planType } = shown
  if (isBusy($purchase.get())) return
  $planType.set(planType)
  $purchase.set({ step: 'ordering' })
  const store = await loadPurchase()
  $purchase.set(store === null ? stopped(PURCHASE.sdkMissing, true) : { step: 'idle' })
  if (store !== null) await order(store)
}
