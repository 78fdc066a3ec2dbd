import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { checkAll, declareTypes } from './check-all.ts'
import { command } from './command.ts'
import { ensureBuilt } from './ensure-built.ts'
import { runTool } from './run-tool.ts'
import { say } from './say.ts'
import { root } from './settings.ts'
import { countTests } from './test-count.ts'

const suites = ['unit', 'domain', 'api', 'e2e', 'pace']
const report = join(root, 'test-results/vitest.json')

// `npm test` does all that CI does, the quick things first; with suites, those alone, and of them the files named.
await command(async () => {
  const words = process.argv.slice(2)
  const chosen = words.filter((word) => suites.includes(word))
  const filters = words.filter((word) => !suites.includes(word))
  if (chosen.length === 0) {
    const built = ensureBuilt(root, say)
    const declared = built.then(async (isNew) => {
      if (!isNew) await declareTypes()
    })
    await Promise.all([built, checkAll(declared)])
  }
  await runVitest(chosen, filters)
})

async function runVitest(chosen: string[], filters: string[]): Promise<void> {
  rmSync(report, { force: true })
  const { code } = await runTool(
    'vitest',
    [
      'run',
      ...chosen.flatMap((suite) => ['--project', suite]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...filters,
    ],
    { shows: true, env: { NODE_ENV: 'test' } },
  )
  const { passed, failed } = countTests(readReport())
  if (code !== 0 || failed > 0 || passed === 0) process.exitCode = 1
  if (code !== 0 && failed === 0) say(`The test runner ended with ${code}: see above.`)
  if (passed + failed === 0) say('No test ran.')
  say(`tests: ${passed} passed, ${failed} failed`)
}

function readReport(): unknown {
  try {
    return JSON.parse(readFileSync(report, 'utf8'))
  } catch {
    return {}
  }
}
