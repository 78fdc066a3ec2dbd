import { hashFiles } from './hash-files.ts'
import { root } from './settings.ts'

const SOURCES = '{edge-api,site,src,tests,tools}/**/*.{sql,ts,tsx}'

/** A number for tests that try a part of what could be tried: another one for each change of the code, and always the same for the same code. */
export function seedOfSources(): number {
  return Number.parseInt(hashFiles(root, [SOURCES], '').slice(0, 7), 16)
}
