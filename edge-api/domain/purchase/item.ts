import {
  describeSale,
  findItem,
  type Item,
  majorAmount,
  PLANS,
} from '../../../src/contract/catalogue.ts'
import { PURCHASE } from '../../../src/contract/messages.ts'
import type { OrderInput } from '../../../src/contract/purchase.ts'
import type { Context } from '../context.ts'
import { ApiError } from '../api-error.ts'
import type { Purchase } from './find-purchase.ts'

/** The catalogue's entry; price and tokens are the purchase's own. Throws without one: items that were sold stay there. */
export function itemOf({ sku }: Pick<Purchase, 'sku'>): Item {
  const item = findItem(sku)
  if (item === undefined) throw new Error(`"${sku}" was sold and is not in the catalogue.`)
  return item
}

type Sold = Pick<Purchase, 'sku' | 'tokens' | 'accessDays'>

/** The sold item, whatever the catalogue says now: "Pro, 365 days, 1,000,000 tokens". */
export function describeSold({ sku, tokens, accessDays }: Sold): string {
  return describeSale({ ...itemOf({ sku }), tokens, accessDays })
}

/** The line of a receipt: the product's name, then the sold item. */
export function receiptLine({ brand }: Pick<Context, 'brand'>, sold: Sold): string {
  return `${brand.productName} ${describeSold(sold)}`
}

/** The sale as notes on its order or link: item and buyer, for whoever looks it up in Razorpay's dashboard. */
export function saleNotes({
  id,
  userId,
  sku,
  tokens,
  accessDays,
}: Sold & Pick<Purchase, 'id' | 'userId'>) {
  return {
    purchase: id,
    account: userId,
    item: sku,
    tokens: String(tokens),
    days: String(accessDays),
  }
}

/** The plan by its type. INVALID_PLAN_TYPE, or AMOUNT_MISMATCH when the caller saw another price. */
export function requestedPlan({ planType, amount, preferredCurrency: currency }: OrderInput) {
  const plan = PLANS.find(({ sku }) => sku === planType)
  if (plan === undefined) {
    throw new ApiError('INVALID_PLAN_TYPE', PURCHASE.invalidPlanType(planType))
  }
  if (amount !== undefined && amount !== majorAmount(plan.priceMinor[currency])) {
    throw new ApiError('AMOUNT_MISMATCH', PURCHASE.amountDiffers)
  }
  return { item: plan, currency }
}
