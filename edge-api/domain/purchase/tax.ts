import type { Currency } from '../../../src/contract/currency.ts'
import { BillingDetails, OUTSIDE_INDIA } from '../../../src/contract/billing.ts'
import type { Tax } from '../context.ts'
import { hours, minutes } from '../time.ts'

/** How a sale is taxed in India. `untaxed`: the seller is not registered. */
type Supply = 'untaxed' | 'intra_state' | 'inter_state' | 'export'

/** The billing details that a purchase was ordered with; null when the buyer gave none. */
export function billingOf({ billing }: { billing: string | null }): BillingDetails | null {
  return billing === null ? null : BillingDetails.parse(JSON.parse(billing))
}

/**
 * How a sale is taxed, by the place of supply: the buyer's place, or if unknown, by currency the seller's own state or
 * a country outside India. Only a sale paid in another currency is an export (IGST Act, 2017, sections 2(6) and 12(2)).
 */
export function supplyOf(
  tax: Tax | null,
  billing: BillingDetails | null,
  currency: Currency,
): { supply: Supply; place: string } {
  const place = billing?.place ?? (currency === 'INR' ? (tax?.state ?? '') : OUTSIDE_INDIA)
  if (tax === null) return { supply: 'untaxed', place: '' }
  if (place === tax.state) return { supply: 'intra_state', place }
  return { supply: place === OUTSIDE_INDIA && currency !== 'INR' ? 'export' : 'inter_state', place }
}

/** How far India time is ahead of UTC. */
export const INDIA_TIME_MS = hours(5) + minutes(30)

/** The financial year of India, April to March in India time: "26-27". */
export function financialYear(at: number): string {
  const local = new Date(at + INDIA_TIME_MS)
  const first = local.getUTCFullYear() - (local.getUTCMonth() < 3 ? 1 : 0)
  return `${String(first).slice(-2)}-${String(first + 1).slice(-2)}`
}
