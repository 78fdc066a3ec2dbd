import { findItem } from '../../../src/contract/catalogue.ts'
import { Currency } from '../../../src/contract/currency.ts'
import { z } from '../../../src/contract/zod.ts'
import type { SaleRecord } from '../ports/payments.ts'
import type { Purchase } from './find-purchase.ts'

type Sold = Pick<Purchase, 'id' | 'userId' | 'sku' | 'tokens' | 'accessDays'>

/** The sale as notes on its order or link: item and buyer, from which a lost purchase can be recreated. */
export function saleNotes({ id, userId, sku, tokens, accessDays }: Sold) {
  return {
    purchase: id,
    account: userId,
    item: sku,
    tokens: String(tokens),
    days: String(accessDays),
  }
}

const Count = z
  .string()
  .regex(/^\d{1,12}$/)
  .transform(Number)

const Sale = z.object({
  purchase: z.string(),
  account: z.string(),
  item: z.string(),
  tokens: Count,
  days: Count,
  currency: Currency,
})

/** The sale that an order or link describes; null when it is not one of ours, or the catalogue does not have the item. */
export function readSale({ notes, currency, purchaseId }: SaleRecord) {
  const { data } = Sale.safeParse({ ...notes, currency })
  if (data === undefined || data.purchase !== purchaseId) return null
  const item = findItem(data.item)
  return item === undefined ? null : { ...data, item }
}
