import { toIso } from '../time.ts'

/** A stored row as an export shows it: its instants, whose names end in `At`, as ISO 8601. */
export function exportedRow(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]: [string, unknown]) => [
      name,
      name.endsWith('At') && typeof value === 'number' ? toIso(value) : value,
    ]),
  )
}
