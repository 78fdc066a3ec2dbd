import { majorAmount, PRO, TOKEN_PACK } from '../../src/contract/catalogue.ts'
import { formatPrice } from '../../src/lib/money.ts'

/** The catalogue's prices as texts name them: `{proUsd}`, `{packInr}`. */
export const PRICES = {
  proUsd: formatPrice(majorAmount(PRO.priceMinor.USD), 'USD'),
  proInr: formatPrice(majorAmount(PRO.priceMinor.INR), 'INR'),
  packUsd: formatPrice(majorAmount(TOKEN_PACK.priceMinor.USD), 'USD'),
  packInr: formatPrice(majorAmount(TOKEN_PACK.priceMinor.INR), 'INR'),
} as const
