import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** The first words of every call of `alert(…)` in the Worker. */
function alertsOfWorker(): string[] {
  const files = globSync('edge-api/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
  const events = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\balert\(\s*'([^']+)'/g)].map(
      ([, event = '']) => event,
    ),
  )
  return [...new Set(events)]
}

test('every alert an operator can get is explained in the runbook', () => {
  const runbook = readFileSync(join(root, 'docs/runbook.md'), 'utf8')
  const events = alertsOfWorker()
  expect(events.length).toBeGreaterThan(10)
  const unexplained = events.filter((event) => !runbook.includes(`| \`${event}\` |`))
  expect(unexplained, 'Explain these in the table of alerts in docs/runbook.md').toEqual([])
})
