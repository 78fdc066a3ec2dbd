import { join } from 'node:path'
import { LaunchError } from './bootstrap/launch-error.mjs'
import { runTool, type ToolRun } from './run-tool.ts'
import { root } from './settings.ts'

/** The files that the formatter formats. */
const FORMATTED = '**/*.{ts,tsx,mjs,astro,css}'

/** Where the tools cache the results of files that they have checked. */
const CACHE = 'node_modules/.cache/sotto'

/** Tests that read the tree instead of running it: the contract, its description, the docs, wrangler.toml and lint. */
const STRUCTURE_TESTS = [
  'src/contract/',
  'site/openapi/',
  'site/brand.test.ts',
  'tools/artwork/',
  'tools/lint/',
  'tools/services/cron.test.ts',
]

/**
 * `npm run check`: types, import cycles, lint, formatting and the tests of structure, side by side. With `--fix` every
 * file is formatted first.
 */
export async function check(words: readonly string[]): Promise<void> {
  const unknown = words.find((word) => word !== '--fix')
  if (unknown !== undefined) throw new LaunchError(`npm run check takes no "${unknown}".`)
  if (words.includes('--fix')) await format()
  const projects = ['--project', 'unit', '--project', 'domain', '--project', 'tools']
  const isFine = await printChecks({
    ...checksOfTree(declareTypes()),
    structure: runTool('vitest', ['run', '--reporter=dot', ...projects, ...STRUCTURE_TESTS]),
  })
  if (!isFine) process.exitCode = 1
}

async function format(): Promise<void> {
  await runTool('prettier', ['--write', '--log-level=warn', FORMATTED], { shows: true })
}

/**
 * Types, import cycles, lint (with the imports between folders) and formatting.
 *
 * @param declared ends when the types that Astro generates are written; a build writes them too
 */
export function checksOfTree(declared: Promise<ToolRun>): Record<string, Promise<ToolRun>> {
  const byContent = (name: string) => [
    ...['--cache', '--cache-strategy', 'content', '--cache-location', join(CACHE, name)],
  ]
  return {
    types: whenDeclared(declared, checkTypes),
    pages: whenDeclared(declared, checkPages),
    cycles: checkCycles(),
    lint: runTool('eslint', ['.', '--max-warnings', '0', ...byContent('eslint')]),
    format: runTool('prettier', [
      ...['--check', '--log-level=warn', FORMATTED],
      ...byContent('prettier'),
    ]),
  }
}

/** Without the types that Astro generates, a check would only find that they are missing: it ends as their making did. */
export async function whenDeclared(declared: Promise<ToolRun>, check: () => Promise<ToolRun>) {
  const made = await declared
  return made.code === 0 ? check() : made
}

/** Prints how each check ended; false when one failed. */
export async function printChecks(checks: Record<string, Promise<ToolRun>>): Promise<boolean> {
  let isFine = true
  for (const [name, run] of Object.entries(checks)) {
    const { code, output } = await run
    console.log(`${name}: ${code === 0 ? 'fine' : 'failed'}`)
    if (code === 0) continue
    console.log(output.trimEnd())
    isFine = false
  }
  return isFine
}

/** Fails for modules that import each other in a circle. It reads all modules, which takes a second. */
async function checkCycles(): Promise<ToolRun> {
  const { findCycles } = await import('../lint/cycles.ts')
  const cycles = findCycles(root)
  const output = cycles.map((way) => `These import each other: ${way.join(' → ')}`).join('\n')
  return { code: cycles.length === 0 ? 0 : 1, output }
}

/** Writes the types that Astro generates: for content, and for integrations. */
export function declareTypes(): Promise<ToolRun> {
  return runTool('astro', ['sync'])
}

/** With one checker: several would each check what all files share, and take twice the processor time. */
function checkTypes(): Promise<ToolRun> {
  const incremental = ['--incremental', '--tsBuildInfoFile', join(CACHE, 'tsc.tsbuildinfo')]
  const options = ['--noEmit', '--pretty', '--checkers', '1', ...incremental]
  return runTool('typescript-7', options, { name: 'tsc' })
}

/** The types of pages, which `tsc` does not read; Astro's own check is slow with other files. */
function checkPages(): Promise<ToolRun> {
  return runAstroCheck('tsconfig.pages.json')
}

/** Checks the types of the pages that a tsconfig names. */
export function runAstroCheck(tsconfig: string): Promise<ToolRun> {
  const onlyErrors = ['--minimumSeverity', 'error', '--minimumFailingSeverity', 'error']
  return runTool('astro', ['check', '--noSync', '--tsconfig', tsconfig, ...onlyErrors])
}
