import { Currency } from '../contract/catalogue.ts'
import { z } from '../contract/zod.ts'
import type { Environment } from './environment.ts'
import { takeStored } from './environment.ts'

const STORAGE_KEY = 'pending-purchase'
/** Milliseconds for which a pending purchase is valid: time enough to register. */
const MAX_AGE_MS = 30 * 60_000

const Stored = z.object({ planType: z.string(), currency: Currency, storedAt: z.number() })

export type PendingPurchase = Pick<z.infer<typeof Stored>, 'planType' | 'currency'>

/**
 * The plan for which a buyer pressed Buy Now before leaving to create an account. The tab's storage keeps it, and not
 * the address, so that no link on another site can open the checkout.
 */
export function createPendingPurchase({
  tabStorage,
  clock,
}: Pick<Environment, 'tabStorage' | 'clock'>) {
  return {
    store: ({ planType, currency }: PendingPurchase) => {
      tabStorage.setItem(STORAGE_KEY, JSON.stringify({ planType, currency, storedAt: clock.now() }))
    },
    /** Returns the purchase and removes it; null when there is none or it is too old. */
    take: (): PendingPurchase | null => {
      const stored = takeStored(tabStorage, STORAGE_KEY, Stored)
      if (stored === null || clock.now() - stored.storedAt > MAX_AGE_MS) return null
      const { planType, currency } = stored
      return { planType, currency }
    },
  }
}
