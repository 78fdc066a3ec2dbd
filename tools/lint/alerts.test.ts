import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ALERTS } from '../../edge-api/domain/ports/alerts.ts'

/** Raised while there is no configuration, so neither mail nor desk can know it. */
const LOG_ONLY = 'not configured'

test('every alert is in the runbook with the words of its mail, and no other is', () => {
  const { [LOG_ONLY]: logOnly, ...told } = alertsOfRunbook()
  expect(logOnly).toBeDefined()
  expect(Object.keys(told).length).toBeGreaterThan(10)
  expect(ALERTS, 'the table of alerts in docs/runbook.md').toEqual(told)
})

test('every alert has a drill, and no other has', () => {
  const drills = readFileSync(join(import.meta.dirname, '../../docs/drills.md'), 'utf8')
  const named = [...drills.matchAll(/^### `([^`]+)`$/gm)].map(([, kind = '']) => kind)
  expect(named.toSorted()).toEqual([...Object.keys(ALERTS), LOG_ONLY].toSorted())
})

/** The alerts of the runbook's table with their texts, without links and code marks. */
function alertsOfRunbook(): Record<string, string> {
  const runbook = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8')
  const [, section = ''] = runbook.split('\n## Alerts\n')
  const rows = section.matchAll(/^\| (`.+?`) \| (.+) \|$/gm)
  return Object.fromEntries(
    [...rows].flatMap(([, kinds = '', text = '']) =>
      [...kinds.matchAll(/`([^`]+)`/g)].map(([, kind = '']) => [kind, plain(text)]),
    ),
  )
}

function plain(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '')
}
