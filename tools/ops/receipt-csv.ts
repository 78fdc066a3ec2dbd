import { csv, csvText } from '../../src/contract/csv.ts'
import type { ReceiptRow } from '../../src/contract/receipt.ts'

const COLUMNS: readonly (keyof ReceiptRow)[] = [
  'kind',
  'number',
  'issuedAt',
  'receiptNumber',
  'cancels',
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

/** Receipts and credit notes as a CSV file, amounts in major units. */
export function receiptsCsv(rows: readonly ReceiptRow[]): string {
  return csv([COLUMNS, ...rows.map((row) => COLUMNS.map((name) => cell(name, row[name])))])
}

function cell(name: string, value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'string') return csvText(value)
  return AMOUNTS.includes(name) ? (value / 100).toFixed(2) : `${value}`
}
