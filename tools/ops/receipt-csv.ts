import { INDIA_TIME_MS } from '../../edge-api/domain/purchase/tax.ts'
import { CSV_START, csv, csvText } from '../../src/contract/csv.ts'
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

/** Receipts and credit notes as a CSV file: amounts in major units, times in India's, by which papers are dated and numbered. */
export function receiptsCsv(rows: readonly ReceiptRow[]): string {
  const lines = rows.map((row) => COLUMNS.map((name) => cell(name, row[name])))
  return CSV_START + csv([COLUMNS, ...lines])
}

function cell(name: string, value: string | number | null): string {
  if (value === null) return ''
  if (name === 'issuedAt') return inIndiaTime(`${value}`)
  if (typeof value === 'string') return csvText(value)
  return AMOUNTS.includes(name) ? (value / 100).toFixed(2) : `${value}`
}

function inIndiaTime(instant: string): string {
  return new Date(Date.parse(instant) + INDIA_TIME_MS).toISOString().replace('Z', '+05:30')
}
