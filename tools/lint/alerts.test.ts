import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ALERTS } from '../../edge-api/domain/ports/alerts.ts'
import { root } from '../launcher/settings.ts'

/** The one without a configuration is only logged: neither mail nor desk can know it. */
const KINDS = [...Object.keys(ALERTS), 'not configured'].toSorted()

test('every alert is in the table of docs/runbook.md, and no other is', () => {
  const [, section = ''] = readFileSync(join(root, 'docs/runbook.md'), 'utf8').split(
    '\n## Alerts\n',
  )
  const cells = [...section.matchAll(/^\| (`.+?`) \|/gm)].map(([, cell = '']) => cell)
  const kinds = cells.flatMap((cell) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, kind = '']) => kind),
  )
  expect(kinds.toSorted()).toEqual(KINDS)
})

test('every alert has a drill in docs/drills.md, and no other has', () => {
  const drills = readFileSync(join(root, 'docs/drills.md'), 'utf8')
  const kinds = [...drills.matchAll(/^### `([^`]+)`$/gm)].map(([, kind = '']) => kind)
  expect(kinds.toSorted()).toEqual(KINDS)
})
