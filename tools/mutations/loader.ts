import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { root } from '../launcher/settings.ts'

const TREE = pathToFileURL(`${root}/`).href
const urlOf = (file: string) => pathToFileURL(join(root, file)).href

/** Modules that take the place of others: the runner of tests, and the programs that tests start. */
const STAND_INS = new Map([
  ['vitest', urlOf('tools/mutations/stand-ins/vitest.ts')],
  [urlOf('tests/harness/services.ts'), urlOf('tools/mutations/stand-ins/services.ts')],
])

/** Who imports a module of the tree. */
const importers = new Map<string, Set<string>>()
const sources = new Map<string, string>()

let round = 0
let mutant: { url: string; text: string } | null = null
/** The mutant's module and all that import it, directly or through others. */
let affected = new Set<string>()

/**
 * Has the modules of the tree loaded by this: a mutant takes the place of its file, and all modules that see it are loaded
 * anew, the others not.
 */
export function hookLoader(): void {
  registerHooks({
    resolve: (specifier, context, next) => {
      const parent = withoutRound(context.parentURL ?? '')
      const isOurs = parent.startsWith(TREE) && !parent.includes('/node_modules/')
      if (!isOurs || !/^\.|^vitest$|^file:/.test(specifier)) return next(specifier, context)
      const named = specifier === 'vitest' ? specifier : new URL(specifier, parent).href
      const standIn = STAND_INS.get(named)
      const url = standIn === undefined || standIn === parent ? named : standIn
      if (url === 'vitest') return next(specifier, context)
      importers.set(url, (importers.get(url) ?? new Set()).add(parent))
      // A test file is read again each time, to run it again.
      const isNew = affected.has(url) || url.endsWith('.test.ts')
      return { url: isNew ? `${url}?${round}` : url, shortCircuit: true }
    },
    load: (url, context, next) => {
      const plain = withoutRound(url)
      if (!plain.startsWith(TREE) || !plain.endsWith('.ts') || plain.includes('/node_modules/'))
        return next(url, context)
      const source = plain === mutant?.url ? stripTypeScriptTypes(mutant.text) : sourceOf(plain)
      return { format: 'module', source, shortCircuit: true }
    },
  })
}

const withoutRound = (url: string) => url.replace(/\?\d+$/, '')

function sourceOf(url: string): string {
  const known = sources.get(url)
  if (known !== undefined) return known
  const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'))
  sources.set(url, source)
  return source
}

/** From now on this text is the file's; null for the files as they are. */
export function loadInstead(change: { file: string; text: string } | null): void {
  round += 1
  mutant = change && { url: urlOf(change.file), text: change.text }
  affected = mutant === null ? new Set() : reachedFrom(mutant.url)
}

function reachedFrom(url: string, found = new Set<string>()): Set<string> {
  if (found.has(url)) return found
  found.add(url)
  for (const importer of importers.get(url) ?? []) reachedFrom(importer, found)
  return found
}
