import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ensureBuilt } from './build.ts'
import { checksOfTree, declareTypes, runChecks } from './check.ts'
import { runTool } from './run-tool.ts'
import { root } from './settings.ts'

const TIERS = ['unit', 'stores', 'tools', 'domain', 'api', 'e2e', 'engines', 'pace']
const REPORT = join(root, 'test-results/vitest.json')

/**
 * `npm test`: all that CI does. With tiers, those alone, and of them the files named.
 *
 * @param words tiers, and parts of the names of files
 */
export async function test(words: string[]): Promise<void> {
  const tiers = words.filter((word) => TIERS.includes(word))
  const files = words.filter((word) => !TIERS.includes(word))
  if (tiers.length > 0) await runVitest(tiers, files)
  else await everything(files)
}

/** `npm run test:long`: 10,000 random histories, another number of them (HISTORIES), or one again (HISTORY). */
export async function testLong(): Promise<void> {
  process.env['HISTORIES'] ??= process.env['HISTORY'] === undefined ? '10000' : '1'
  await runVitest(['domain'], ['edge-api/domain/purchase/histories.test.ts'])
}

/** `npm run look`: takes the pictures, of all screens or of some: paths, or who sees them (tests/e2e/support/sittings.ts). */
export async function look(words: string[]): Promise<void> {
  process.env['LOOK'] = words.join(' ')
  await runVitest(['e2e'], ['tests/e2e/look.test.ts'])
}

/** Builds; then checks while the first tests run, which mostly wait for other processes. */
async function everything(files: string[]): Promise<void> {
  const built = ensureBuilt(root)
  const declared = built.then(async (isNew) => {
    if (!isNew) await declareTypes()
  })
  const checked = runChecks(checksOfTree(declared))
  const ran = built.then(() => runVitest([], files))
  const [checks] = await Promise.allSettled([checked, ran])
  await ran
  if (checks.status === 'rejected') throw checks.reason
}

async function runVitest(tiers: string[], files: string[]): Promise<void> {
  rmSync(REPORT, { force: true })
  const { code } = await runTool(
    'vitest',
    [
      'run',
      ...tiers.flatMap((tier) => ['--project', tier]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${REPORT}`,
      ...files,
    ],
    {
      shows: true,
      env: { NODE_ENV: 'test', ...(tiers.includes('engines') ? { ENGINES: 'whole' } : {}) },
    },
  )
  const { passed, failed } = countTests(readReport())
  if (code !== 0 || failed > 0 || passed === 0) process.exitCode = 1
  if (code !== 0 && failed === 0) console.log(`The test runner ended with ${code}: see above.`)
  if (passed + failed === 0) console.log('No test ran.')
  console.log(`tests: ${passed} passed, ${failed} failed`)
}

function readReport(): unknown {
  try {
    return JSON.parse(readFileSync(REPORT, 'utf8'))
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
export function countTests(report: unknown): { passed: number; failed: number } {
  const { numPassedTests, numFailedTests, testResults } = Report.parse(report)
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  )
  return { passed: numPassedTests, failed: numFailedTests + brokenFiles.length }
}
