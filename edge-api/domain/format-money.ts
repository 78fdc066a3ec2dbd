import { MINOR_UNITS_PER_MAJOR } from '../../src/contract/catalogue.ts'

/** "USD 35.00": unambiguous in a mail, whatever the reader's language. */
export function formatMoney(amountMinor: number, currency: string): string {
  return `${currency} ${(amountMinor / MINOR_UNITS_PER_MAJOR).toFixed(2)}`
}

/** "12,500": a count in words that a person reads. */
export function inFigures(count: number): string {
  return count.toLocaleString('en-US')
}

interface Numbered {
  /** The financial year where tax is charged, else empty. */
  series: string
  number: number
}

/** Receipts are numbered R-000001, R-000002, …; with tax R/26-27/000001. GST allows 16 characters. */
export function receiptNumber(receipt: Numbered): string {
  return documentNumber('R', receipt)
}

/** Credit notes are numbered as receipts are, with a C. */
export function creditNoteNumber(note: Numbered): string {
  return documentNumber('C', note)
}

function documentNumber(letter: string, { series, number }: Numbered): string {
  const digits = String(number).padStart(6, '0')
  return series === '' ? `${letter}-${digits}` : `${letter}/${series}/${digits}`
}
