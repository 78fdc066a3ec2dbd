import { environment, session } from '../../stores/browser.ts'
import { createTokenPurchase } from '../../stores/token-purchase.ts'
import { loadDashboard } from './store.ts'

/** Made once a page; the seller's name comes from the page. */
export function makeTokenPurchase(sellerName: string) {
  return createTokenPurchase({
    environment,
    session,
    sellerName,
    onPaid: () => {
      void session.start()
      loadDashboard()
    },
  })
}
