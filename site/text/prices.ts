import { MAIN_PLAN, majorAmount, TOKEN_PACK } from '../../src/contract/catalogue.ts'
import { formatPrice } from '../../src/lib/money.ts'
import { formatCount } from '../../src/lib/numbers.ts'

/** What texts say of the catalogue: `{planName}`, `{planUsd}`, `{packInr}`. */
export const PRICES = {
  planName: MAIN_PLAN.name,
  planDays: String(MAIN_PLAN.accessDays),
  planTokens: formatCount(MAIN_PLAN.tokens),
  packTokens: formatCount(TOKEN_PACK.tokens),
  planUsd: formatPrice(majorAmount(MAIN_PLAN.priceMinor.USD), 'USD'),
  planInr: formatPrice(majorAmount(MAIN_PLAN.priceMinor.INR), 'INR'),
  packUsd: formatPrice(majorAmount(TOKEN_PACK.priceMinor.USD), 'USD'),
  packInr: formatPrice(majorAmount(TOKEN_PACK.priceMinor.INR), 'INR'),
} as const
