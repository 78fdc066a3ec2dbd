import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'vite'

/** All modules of the tree. Pages import modules, and no module imports a page. */
const MODULES = ['*.{ts,mjs}', '{docs,edge-api,site,src,tests,tools}/**/*.{ts,tsx,mjs}']

/**
 * The import cycles of the tree, each as its files in order, ending with the first one again. Imports of types do not
 * count, because they are gone when the code runs.
 *
 * @param root the folder of the tree
 */
export function findCycles(root: string): string[][] {
  const paths = MODULES.flatMap((pattern) => globSync(pattern, { cwd: root })).sort()
  const imports = new Map(paths.map((path) => [path, importsOf(root, path)]))
  const found: string[][] = []
  const isDone = new Set<string>()
  const way: string[] = []

  function follow(path: string): void {
    if (isDone.has(path)) return
    const start = way.indexOf(path)
    if (start >= 0) {
      found.push([...way.slice(start), path])
      return
    }
    way.push(path)
    for (const next of imports.get(path) ?? []) follow(next)
    way.pop()
    isDone.add(path)
  }
  paths.forEach(follow)
  return found
}

/** The files that a module imports when it runs, at once or later, by their paths in the tree. */
function importsOf(root: string, path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8')
  const { staticImports, staticExports, dynamicImports } = parseSync(path, text).module
  const targets = [
    ...staticImports
      .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
      .map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports
      .flatMap(({ entries }) => entries)
      .flatMap(({ isType, moduleRequest }) => (isType ? [] : (moduleRequest?.value ?? []))),
    ...dynamicImports.flatMap(({ moduleRequest }) => literal(text, moduleRequest)),
  ]
  return targets.filter((name) => name.startsWith('.')).map((name) => join(dirname(path), name))
}

/** The quoted path of a dynamic import; nothing when only the running code knows it. */
function literal(text: string, { start, end }: { start: number; end: number }): string[] {
  return /^'([^']+)'$/.exec(text.slice(start, end))?.slice(1) ?? []
}
