import { majorAmount, TOKEN_PACK } from '../contract/catalogue.ts'
import type { Currency } from '../contract/currency.ts'
import { formatPrice } from './numbers.ts'

/** What a token pack costs: `$25`, `₹2,199`. */
export function packPrice(currency: Currency): string {
  return formatPrice(majorAmount(TOKEN_PACK.priceMinor[currency]), currency)
}
