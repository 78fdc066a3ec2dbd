import { type Item, PRO, TOKEN_PACK } from '../../../src/contract/catalogue.ts'
import type { Purchase } from './purchase-row.ts'

const ITEMS: Readonly<Record<Purchase['sku'], Item>> = { pro: PRO, token_pack: TOKEN_PACK }

/** What a purchase is of. Its price and tokens stand in the purchase, not here. */
export function itemOf({ sku }: Pick<Purchase, 'sku'>): Item {
  return ITEMS[sku]
}
