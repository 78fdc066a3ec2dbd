import type { Currency } from '../../contract/currency.ts'
import { environment, takeStored } from '../../lib/environment.ts'

const STORAGE_KEY = 'pending-purchase'
/** Milliseconds for which a pending purchase is valid: time enough to register. */
const MAX_AGE_MS = 30 * 60_000

export interface ChosenPlan {
  planType: string
  currency: Currency
  /** On the card, in major units: the server sells at no other price. */
  price: number
}

type Stored = ChosenPlan & { storedAt: number }

/**
 * The plan for which a buyer pressed Buy Now before leaving to create an account. The tab's storage keeps it, and not
 * the address, so that no link on another site can open the checkout.
 */
export function createPendingPurchase() {
  const { tabStorage, clock } = environment
  return {
    store: (chosen: ChosenPlan) => {
      const stored: Stored = { ...chosen, storedAt: clock.now() }
      tabStorage.setItem(STORAGE_KEY, JSON.stringify(stored))
    },
    /** Returns the purchase and removes it; null when there is none or it is too old. */
    take: (): ChosenPlan | null => {
      const stored = takeStored<Stored>(tabStorage, STORAGE_KEY)
      if (stored === undefined || clock.now() - stored.storedAt > MAX_AGE_MS) return null
      const { planType, currency, price } = stored
      return { planType, currency, price }
    },
  }
}
