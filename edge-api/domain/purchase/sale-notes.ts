import type { Purchase } from './find-purchase.ts'

type Sold = Pick<Purchase, 'id' | 'userId' | 'sku' | 'tokens' | 'accessDays'>

/** The sale as notes on its order or link: item and buyer, for whoever looks it up in Razorpay's dashboard. */
export function saleNotes({ id, userId, sku, tokens, accessDays }: Sold) {
  return {
    purchase: id,
    account: userId,
    item: sku,
    tokens: String(tokens),
    days: String(accessDays),
  }
}
