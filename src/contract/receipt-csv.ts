import type { ReceiptRow } from './receipt.ts'

const COLUMNS: readonly (keyof ReceiptRow)[] = [
  'kind',
  'number',
  'issuedAt',
  'receiptNumber',
  'buyerName',
  'buyerEmail',
  'buyerGstin',
  'placeOfSupply',
  'sac',
  'currency',
  'ratePercent',
  'taxable',
  'cgst',
  'sgst',
  'igst',
  'total',
  'paymentId',
]
const AMOUNTS: readonly string[] = ['taxable', 'cgst', 'sgst', 'igst', 'total']

/** Receipts and credit notes as a CSV file (RFC 4180), amounts in major units. */
export function receiptsCsv(rows: readonly ReceiptRow[]): string {
  const lines = rows.map((row) => COLUMNS.map((name) => cell(name, row[name])).join(','))
  return [COLUMNS.join(','), ...lines, ''].join('\r\n')
}

function cell(name: string, value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number')
    return AMOUNTS.includes(name) ? (value / 100).toFixed(2) : `${value}`
  // A spreadsheet would run a text that begins like a formula.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
