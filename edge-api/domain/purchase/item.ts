import { findItem, type Item } from '../../../src/contract/catalogue.ts'
import type { Context } from '../context.ts'
import type { Purchase } from './purchase-row.ts'

/**
 * What a purchase is of. Its price and tokens stand in the purchase, not here.
 * Throws when the catalogue no longer has it: what was sold stays there.
 */
export function itemOf({ sku }: Pick<Purchase, 'sku'>): Item {
  const item = findItem(sku)
  if (item === undefined) throw new Error(`"${sku}" was sold and is not in the catalogue.`)
  return item
}

/** The line of a receipt: the product's name, then "Pro, 365 days, 1,000,000 tokens". */
export function describeItem({ brand }: Pick<Context, 'brand'>, item: Item): string {
  return `${brand.productName} ${item.description}`
}
