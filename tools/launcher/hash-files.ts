import { createHash } from 'node:crypto'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * One hash over the names and contents of all files that the patterns match. A pattern without a match is skipped.
 *
 * @param salt further input on which the result depends
 */
export function hashFiles(root: string, patterns: string[], salt: string): string {
  const hash = createHash('sha256').update(salt)
  const paths = patterns.flatMap((pattern) => globSync(pattern, { cwd: root }))
  for (const path of [...new Set(paths)].sort()) {
    const file = join(root, path)
    if (statSync(file).isFile()) hash.update(`\0${path}\0`).update(readFileSync(file))
  }
  return hash.digest('hex')
}
