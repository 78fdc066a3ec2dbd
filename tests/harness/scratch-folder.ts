import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder for one run; `remove` deletes it with all its files. */
export function scratchFolder(name: string): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), `sotto-${name}-`))
  return {
    path,
    remove: () => {
      // A program that is ending may still add a file meanwhile.
      rmSync(path, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
