import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../launcher/settings.ts'

const WORKFLOWS = join(root, '.github/workflows')

test.each(readdirSync(WORKFLOWS))(
  '%s runs actions by their commit, which nobody can move',
  (file) => {
    const text = readFileSync(join(WORKFLOWS, file), 'utf8')
    const actions = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action)
    expect(actions.length).toBeGreaterThan(0)
    for (const action of actions) expect(action).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  },
)
