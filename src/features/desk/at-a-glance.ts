import { CUSTOMER_ROWS_MAX, type Customer } from '../../contract/desk.ts'
import { formatSum } from './formats.ts'

type Purchase = Customer['purchases'][number]
type Money = Pick<Purchase, 'amountMinor' | 'leftMinor' | 'currency'>

interface Risky extends Pick<Customer, 'deletedAt' | 'suspendedAt'> {
  purchases: readonly Pick<Purchase, 'status'>[]
}

/** Warnings to read before anything is done for a customer. */
export function risksOf(customer: Risky): string[] {
  const { deletedAt, suspendedAt, purchases } = customer
  const has = (status: string) => purchases.some((purchase) => purchase.status === status)
  const risks = {
    deleted: deletedAt !== null,
    suspended: suspendedAt !== null,
    'open dispute': has('disputed'),
    'payment in review': has('review'),
  }
  return Object.entries(risks).flatMap(([risk, isThere]) => (isThere ? [risk] : []))
}

/**
 * The money paid, and the part that was returned, lost or is owed back, in each currency; null where the answer may not
 * have every purchase.
 */
export function sumsOf(purchases: readonly Money[]): { paid: string; back: string } | null {
  if (purchases.length >= CUSTOMER_ROWS_MAX) return null
  const sums = new Map<Money['currency'], { paid: number; back: number }>()
  for (const { amountMinor, leftMinor, currency } of purchases) {
    if (leftMinor === null) continue
    const { paid, back } = sums.get(currency) ?? { paid: 0, back: 0 }
    const gone = amountMinor - Math.max(0, leftMinor)
    sums.set(currency, { paid: paid + amountMinor, back: back + gone })
  }
  const inWords = (part: 'paid' | 'back') =>
    [...sums]
      .filter(([, sum]) => sum[part] > 0)
      .map(([currency, sum]) => formatSum(sum[part], currency))
      .join(' + ') || 'nothing'
  return { paid: inWords('paid'), back: inWords('back') }
}
