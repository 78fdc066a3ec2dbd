import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../launcher/settings.ts'

const files = globSync('{edge-api,src,site,tests,tools}/**/*.{ts,tsx}', { cwd: root })
const document = readFileSync(join(root, 'docs/security.md'), 'utf8')
const named = [
  ...new Set([...document.matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, name = '']) => name)),
]

test.each(named)('%s, which docs/security.md names, is one file', (name) => {
  const found = files.filter((file) => `/${file}`.endsWith(`/${name}`))
  expect(found).toHaveLength(1)
})

const payments = readFileSync(join(root, 'docs/security/payments.md'), 'utf8')
const lastCells = [...payments.matchAll(/\| ([^|]+) \|$/gm)].map(([, cell = '']) => cell).join()
const tests = [...new Set([...lastCells.matchAll(/`([\w./-]+)`/g)].map(([, name = '']) => name))]

test.each(tests)(
  '%s, by which docs/security/payments.md says something is held, is one test',
  (name) => {
    const path = name.includes('/') ? name : `edge-api/domain/purchase/${name}`
    expect(files.filter((file) => file.endsWith(`${path}.test.ts`))).toHaveLength(1)
  },
)
