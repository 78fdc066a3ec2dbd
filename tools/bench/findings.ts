import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../launcher/settings.ts'

/** What one part of the benchmark found. */
export interface Findings {
  /** All that was measured, for the file. */
  figures: object
  /** What counts of it, for the table at the end: one line each. */
  lines: string[]
  /** Budgets and promises that are broken; empty when all hold. */
  broken: string[]
}

/** Writes figures to `.data/bench/NAME.json`. */
export function writeFigures(name: string, figures: object): void {
  const folder = join(root, '.data/bench')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(figures, null, 2))
}
