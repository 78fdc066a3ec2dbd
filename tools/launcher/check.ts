import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { LaunchError } from './bootstrap/launch-error.mjs'
import { hashFiles } from './hash-files.ts'
import { runTool, type ToolRun } from './run-tool.ts'
import { root } from './settings.ts'

/** The files that the formatter formats. */
const FORMATTED = '**/*.{ts,tsx,mjs,astro,css}'

/** What each tool knows of files it has checked before. */
const CACHE = 'node_modules/.cache/sotto'

/** The packages of every check, and how it is run. */
const ITSELF = ['package-lock.json', 'tools/launcher/check.ts']
const LINT_RULES = [...ITSELF, 'eslint.config.mjs', 'tools/lint/**']

/** All that is checked, and the settings of the tools. */
const TREE = [
  ...ITSELF,
  '{*,.*}.{ts,mjs,json}',
  '.prettierignore',
  '{edge-api,public,site,src,tests,tools}/**/*.{ts,tsx,mjs,js,astro,css,json}',
]

/** Tests that read the tree instead of running it: of the contract, its description, the docs and wrangler.toml. */
const STRUCTURE_TESTS = [
  'src/contract/',
  'edge-api/http/openapi/',
  'tools/lint/alerts.test.ts',
  'tools/services/cron.test.ts',
]
const STRUCTURE = [
  ...ITSELF,
  '{src/contract,edge-api,docs,tools/lint,tools/services}/**',
  'site/brand.ts',
  'wrangler.toml',
]

/** `npm run check`: types, import cycles, lint, formatting and the tests of structure, side by side. Skips unchanged files. */
export async function check(): Promise<void> {
  await runChecks({
    ...checksOfTree(declareTypes()),
    structure: unlessUnchanged('structure', STRUCTURE, () =>
      runTool('vitest', [
        ...['run', '--reporter=dot'],
        ...['--project', 'unit', '--project', 'domain', '--project', 'tools'],
        ...STRUCTURE_TESTS,
      ]),
    ),
    'lint rules': unlessUnchanged('lint-rules', LINT_RULES, () =>
      runTool('vitest', [
        'run',
        '--reporter=dot',
        '--project',
        'tools',
        'tools/lint/rules.test.ts',
      ]),
    ),
  })
}

/** `npm run format`: formats every file. */
export async function format(): Promise<void> {
  const options = ['--write', '--log-level=warn', FORMATTED]
  const { code } = await runTool('prettier', options, { shows: true })
  process.exitCode = code
}

/**
 * Types, import cycles, lint (with the import arrows) and formatting, each unless nothing changed since it was fine.
 *
 * @param declared what the types wait for: the declarations of what Astro makes, which a build writes down too
 */
export function checksOfTree(declared: Promise<unknown>): Record<string, Promise<ToolRun>> {
  const byContent = ['--cache', '--cache-strategy', 'content', '--cache-location']
  // ESLint does not look whether rules of our own have changed.
  const lintCache = join(CACHE, `eslint-${hashFiles(root, LINT_RULES).slice(0, 8)}`)
  return {
    types: declared.then(() => unlessUnchanged('types', [...TREE, '.astro/*.d.ts'], checkTypes)),
    pages: declared.then(checkPages),
    cycles: checkCycles(),
    lint: unlessUnchanged('lint', TREE, () =>
      runTool('eslint', ['.', '--max-warnings', '0', ...byContent, lintCache]),
    ),
    format: unlessUnchanged('format', TREE, (since) =>
      runTool('prettier', ['--check', '--log-level=warn', ...touchedSince(since)]),
    ),
  }
}

/** Prints how each check ended. Throws a LaunchError naming those that failed. */
export async function runChecks(checks: Record<string, Promise<ToolRun>>): Promise<void> {
  const failed: string[] = []
  for (const [name, run] of Object.entries(checks)) {
    const { code, output } = await run
    console.log(`${name}: ${code === 0 ? 'fine' : 'failed'}`)
    if (code === 0) continue
    console.log(output.trimEnd())
    failed.push(name)
  }
  if (failed.length > 0) throw new LaunchError(`Check failed: ${failed.join(', ')}.`)
}

/** Which modules import themselves by way of others. All of them are read, which takes a second. */
async function checkCycles(): Promise<ToolRun> {
  const { findCycles } = await import('../lint/cycles.ts')
  const cycles = findCycles(root)
  const output = cycles.map((way) => `These import each other: ${way.join(' → ')}`).join('\n')
  return { code: cycles.length === 0 ? 0 : 1, output }
}

/** What the declarations of Astro are made from. */
const DECLARED_FROM = [...ITSELF, 'site/content.config.ts', 'astro.config.mjs', 'site/build/**']

/** Writes down the types of what Astro makes: content, and what integrations bring along. */
export async function declareTypes(): Promise<ToolRun> {
  const isThere = existsSync(join(root, '.astro/types.d.ts'))
  const sync = () => runTool('astro', ['sync'])
  return isThere ? unlessUnchanged('declared', DECLARED_FROM, sync) : sync()
}

/** By one checker: several check what all files share once each, and take twice the processor time of one. */
function checkTypes(): Promise<ToolRun> {
  const incremental = ['--incremental', '--tsBuildInfoFile', join(CACHE, 'tsc.tsbuildinfo')]
  const options = ['--noEmit', '--pretty', '--checkers', '1', ...incremental]
  return runTool('typescript-7', options, { name: 'tsc' })
}

/** Pages, and all that they may import. */
const PAGES = [...ITSELF, 'tsconfig*.json', 'site/**', 'src/**', '.astro/*.d.ts']

/** The types of pages, which `tsc` does not read; Astro's own check is slow with other files. */
export function checkPages(): Promise<ToolRun> {
  return unlessUnchanged('pages', PAGES, () => runAstroCheck('tsconfig.pages.json'))
}

/** Checks the types of the pages that a tsconfig names. */
export function runAstroCheck(tsconfig: string): Promise<ToolRun> {
  const onlyErrors = ['--minimumSeverity', 'error', '--minimumFailingSeverity', 'error']
  return runTool('astro', ['check', '--noSync', '--tsconfig', tsconfig, ...onlyErrors])
}

/** The files that the formatter has not seen since it found all of them right, in milliseconds UTC. */
function touchedSince(since: number): string[] {
  const isNewer = (path: string) => statSync(join(root, path)).mtimeMs >= since
  const settings = [...ITSELF, '.prettierrc.json', '.prettierignore', '.editorconfig']
  if (settings.some(isNewer)) return [FORMATTED]
  const folders = '{edge-api,public,site,src,tests,tools}/'
  const paths = [FORMATTED.slice('**/'.length), folders + FORMATTED].flatMap((pattern) =>
    globSync(pattern, { cwd: root }),
  )
  // Without any file the formatter would refuse to run.
  return [...paths.filter(isNewer), 'tools/launcher/check.ts']
}

/**
 * Runs a check, unless these very files passed it the last time.
 *
 * @param run is told when the files were last right, in milliseconds UTC; 0 when they never were
 */
async function unlessUnchanged(
  name: string,
  files: string[],
  run: (since: number) => Promise<ToolRun>,
): Promise<ToolRun> {
  const stamp = join(root, CACHE, name)
  const wanted = hashFiles(root, files)
  const isThere = existsSync(stamp)
  if (isThere && readFileSync(stamp, 'utf8') === wanted) return { code: 0, output: '' }
  const begun = new Date()
  const result = await run(isThere ? statSync(stamp).mtimeMs : 0)
  if (result.code !== 0) return result
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
  // What changes while the check runs is looked at by the next one.
  utimesSync(stamp, begun, begun)
  return result
}
