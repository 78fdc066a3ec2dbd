import { CSV_START, csv, csvText } from './csv.ts'
import type { LedgerEntry } from './usage.ts'

const COLUMNS = [
  'createdAt',
  'kind',
  'tokens',
  'item',
  'mode',
  'sessionId',
  'purchaseId',
  'id',
] as const satisfies readonly (keyof LedgerEntry)[]

/** Entries of the ledger as a CSV file; instants in UTC. */
export function ledgerCsv(entries: readonly LedgerEntry[]): string {
  return CSV_START + csv([COLUMNS]) + ledgerLines(entries)
}

/** The lines of such a file without its head. */
export function ledgerLines(entries: readonly LedgerEntry[]): string {
  return csv(entries.map((entry) => COLUMNS.map((name) => cell(entry[name]))))
}

function cell(value: string | number | null): string {
  if (value === null) return ''
  return typeof value === 'number' ? `${value}` : csvText(value)
}
