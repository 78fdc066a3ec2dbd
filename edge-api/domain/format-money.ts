import { MINOR_UNITS_PER_MAJOR } from '../../src/contract/catalogue.ts'

/** "USD 35.00": unambiguous in a mail, whatever the reader's language. */
export function formatMoney(amountMinor: number, currency: string): string {
  return `${currency} ${(amountMinor / MINOR_UNITS_PER_MAJOR).toFixed(2)}`
}

/** Receipts are numbered R-000001, R-000002, … */
export function receiptNumber(number: number): string {
  return `R-${String(number).padStart(6, '0')}`
}
