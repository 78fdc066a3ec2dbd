import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { LaunchError } from './bootstrap/launch-error.mjs'
import { ensureBuilt } from './build.ts'
import { checksOfTree, declareTypes, printChecks } from './check.ts'
import { runTool } from './run-tool.ts'
import { root } from './settings.ts'
import { type Tier, TIERS, tiersWith } from './tiers.ts'

const RESULTS = join(root, 'test-results')

interface Counts {
  passed: number
  failed: number
}

/**
 * `npm test`: checks the tree and runs every tier. `npm test -- TIER…` runs these tiers, and `npm test -- FILE…` the files
 * of any tier with one of these words in their path. Options of vitest may follow, as in `-t NAME`.
 */
export async function test(words: string[]): Promise<void> {
  rmSync(RESULTS, { recursive: true, force: true })
  if (words.length === 0) {
    await everything()
    return
  }
  const named = namedFiles(words)
  const tiers = named.filter((word) => TIERS.some(({ name }) => name === word))
  const files = named.filter((word) => !tiers.includes(word))
  const rest = [...files, ...words.slice(named.length)]
  sumUp([await runVitest(files.length > 0 ? tiersOf(files, tiers) : tiers, rest)])
}

/**
 * `npm run test:long`: tests that take too long for `npm test` or draw random cases: all files that end in
 * `.nightly.test.ts`.
 */
export async function testLong(words: string[]): Promise<void> {
  process.env['NIGHTLY'] = 'whole'
  sumUp([await runVitest(tiersOf(namedFiles(words)), words)])
}

/**
 * `npm run look`: takes the pictures of all screens, or of those named by path or by viewer
 * (tools/look/viewers.ts).
 */
export async function look(words: string[]): Promise<void> {
  process.env['LOOK'] = words.join(' ')
  sumUp([await runVitest(['e2e'], ['tests/e2e/look.test.ts'])])
}

/**
 * The tiers of the named files, so that nothing they do not need is started or built; of `among` alone, if it names any.
 *
 * @throws {LaunchError} when one of the words is in no test file's path there
 */
export function tiersOf(files: readonly string[], among: readonly string[] = []): string[] {
  if (files.some((word) => word.includes('.nightly'))) process.env['NIGHTLY'] = 'whole'
  const isNightly = process.env['NIGHTLY'] !== undefined
  const tiersWithOne = (words: readonly string[]) =>
    tiersWith(root, words, isNightly)
      .map(({ name }) => name)
      .filter((name) => among.length === 0 || among.includes(name))
  for (const file of files) {
    if (tiersWithOne([file]).length > 0) continue
    const where = among.length > 0 ? ` of ${among.join(', ')}` : ''
    throw new LaunchError(`No test file${where} has ${file} in its path.`)
  }
  return tiersWithOne(files)
}

/** The words before the first option of vitest: each names files. `['login', '-t', 'Google']` names those with `login`. */
export function namedFiles(words: readonly string[]): string[] {
  const firstOption = words.findIndex((word) => word.startsWith('-'))
  return words.slice(0, firstOption === -1 ? words.length : firstOption)
}

/**
 * Runs the tests that need no build during the build and the checks. Once it is built, runs the API's tests beside them,
 * which mostly wait for other processes, and then those in browsers, on the same site.
 */
async function everything(): Promise<void> {
  const namesOf = (when: Tier['when']) =>
    TIERS.filter((tier) => tier.when === when).map(({ name }) => name)
  const built = ensureBuilt()
  const declared = built.then((isNew) => (isNew ? { code: 0, output: '' } : declareTypes()))
  const checks = checksOfTree(declared)
  const checked = Promise.allSettled(Object.values(checks))
  const runs = await Promise.all([
    runVitest(namesOf('at once'), []),
    built.then(() => runVitest(namesOf('built'), [])),
  ])
  await checked
  if (!(await printChecks(checks))) process.exitCode = 1
  sumUp(runs)
}

async function runVitest(tiers: string[], words: string[]): Promise<Counts> {
  const report = join(RESULTS, `${tiers[0] ?? 'all'}.json`)
  const { code } = await runTool(
    'vitest',
    [
      'run',
      ...tiers.flatMap((tier) => ['--project', tier]),
      '--reporter=./tools/launcher/progress.ts',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...words,
    ],
    {
      shows: true,
      env: { NODE_ENV: 'test', ...(tiers.join() === 'engines' && { ENGINES: 'whole' }) },
    },
  )
  const counts = countTests(readReport(report))
  if (code !== 0 && counts.failed === 0) {
    process.exitCode = 1
    console.log(`The test runner ended with ${code}: see above.`)
  }
  return counts
}

/** The last line of every run. */
function sumUp(runs: readonly Counts[]): void {
  const sum = (key: keyof Counts) => runs.reduce((total, run) => total + run[key], 0)
  const [passed, failed] = [sum('passed'), sum('failed')]
  if (failed > 0 || passed === 0) process.exitCode = 1
  if (passed + failed === 0) console.log('No test ran.')
  console.log(`tests: ${passed} passed, ${failed} failed`)
}

function readReport(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}

const Report = z.object({
  numPassedTests: z.number().default(0),
  numFailedTests: z.number().default(0),
  testResults: z
    .array(
      z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) }),
    )
    .default([]),
})

/** Passed and failed tests of vitest's JSON report. A file that failed without a failing test (it did not load) counts as one. */
export function countTests(report: unknown): Counts {
  const { numPassedTests, numFailedTests, testResults } = Report.parse(report)
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  )
  return { passed: numPassedTests, failed: numFailedTests + brokenFiles.length }
}
