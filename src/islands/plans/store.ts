import { environment, session, toasts } from '../../stores/browser.ts'
import { createPlanPurchase } from '../../stores/plan-purchase.ts'
import { createPlans } from '../../stores/plans.ts'

export const plans = createPlans(environment, toasts)

/** Made once a page; the seller's name comes from the page. */
export function makePurchase(sellerName: string) {
  return createPlanPurchase({ environment, session, toasts, sellerName })
}
