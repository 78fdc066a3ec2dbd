import { OUTSIDE_INDIA, PLACES } from '../../../src/contract/billing.ts'
import { InvoiceDetails } from '../../../src/contract/receipt.ts'
import type { Context } from '../context.ts'
import type { Purchase } from './find-purchase.ts'
import { billingOf, supplyOf } from './tax.ts'

/** The contents of a tax invoice besides its amounts, as stored with a receipt; null where no tax is charged. */
export function invoiceOf(
  { brand }: Pick<Context, 'brand'>,
  purchase: Pick<Purchase, 'billing' | 'currency'>,
): string | null {
  const { street, postalCode, tax } = brand.seller
  if (tax === null) return null
  const billing = billingOf(purchase)
  const { supply, place } = supplyOf(tax, billing, purchase.currency)
  const details: InvoiceDetails = {
    sellerAddress: `${street}, ${brand.place.city} ${postalCode}, ${brand.place.region}, ${brand.place.country}`,
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
