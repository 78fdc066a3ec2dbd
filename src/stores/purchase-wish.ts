import { Currency } from '../contract/catalogue.ts'
import { z } from '../contract/zod.ts'
import type { Environment } from './environment.ts'

const WISH_KEY = 'purchase-wish'
/** Milliseconds within which somebody who leaves to register is expected back. */
const WISH_MS = 30 * 60_000

const Wish = z.object({ planType: z.string(), currency: Currency, keptAt: z.number() })

export type PurchaseWish = Pick<z.infer<typeof Wish>, 'planType' | 'currency'>

/**
 * What somebody pressed Buy Now for before they left to make an account, kept in the tab: no link from elsewhere can
 * open the checkout.
 */
export function createPurchaseWish({
  tabStorage,
  clock,
}: Pick<Environment, 'tabStorage' | 'clock'>) {
  return {
    keep: ({ planType, currency }: PurchaseWish) => {
      const wish = { planType, currency, keptAt: clock.now() }
      tabStorage.setItem(WISH_KEY, JSON.stringify(wish))
    },
    /** The wish, once; null when there is none or it is too old. */
    take: (): PurchaseWish | null => {
      const text = tabStorage.getItem(WISH_KEY)
      if (text === null) return null
      tabStorage.removeItem(WISH_KEY)
      const wish = Wish.safeParse(parse(text))
      if (!wish.success || clock.now() - wish.data.keptAt > WISH_MS) return null
      const { planType, currency } = wish.data
      return { planType, currency }
    },
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
