import type { Currency } from '../../../src/contract/currency.ts'
import { BillingDetails, OUTSIDE_INDIA, PLACES } from '../../../src/contract/billing.ts'
import { InvoiceDetails } from '../../../src/contract/receipt.ts'
import type { Context, Tax } from '../context.ts'
import { hours, minutes } from '../time.ts'
import type { Purchase } from './purchase.ts'

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

/** The contents of a tax invoice besides its amounts, as stored with a receipt; null where no tax is charged. */
export function invoiceOf(
  { brand }: Pick<Context, 'brand'>,
  purchase: Pick<Purchase, 'billing' | 'currency'>,
): string | null {
  const { place: seat, seller } = brand
  const { street, postalCode, tax } = seller
  if (tax === null) return null
  const city = `${seat.city} ${postalCode}`.trim()
  const billing = billingOf(purchase)
  const { supply, place } = supplyOf(tax, billing, purchase.currency)
  const details: InvoiceDetails = {
    // On a developer's machine some of it may be blank.
    sellerAddress: [street, city, seat.region, seat.country].filter(Boolean).join(', '),
    sellerGstin: tax.gstin,
    sac: tax.sac,
    placeOfSupply: place === OUTSIDE_INDIA ? 'Outside India' : `${place} ${PLACES[place] ?? ''}`,
    note:
      supply === 'export'
        ? `Export of services under letter of undertaking ${tax.lut}, without payment of integrated tax.`
        : null,
    buyerName: billing?.name || null,
    buyerAddress: billing?.address || null,
    buyerGstin: billing?.gstin || null,
  }
  return JSON.stringify(details)
}

/** The stored details of a tax invoice. */
export function readInvoice(stored: string | null): InvoiceDetails | null {
  return stored === null ? null : InvoiceDetails.parse(JSON.parse(stored))
}
