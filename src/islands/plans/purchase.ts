import { environment, session, toasts } from '../../stores/browser.ts'
import { createPlanPurchase } from '../../stores/plan-purchase.ts'

/** Made once a page; the seller's name comes from the page. */
export function makePurchase(sellerName: string) {
  return createPlanPurchase({ environment, session, toasts, sellerName })
}
