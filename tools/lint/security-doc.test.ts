import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../launcher/settings.ts'

const files = globSync('{edge-api,src,site,tests,tools}/**/*.{ts,tsx}', { cwd: root })
const document = readFileSync(join(root, 'docs/security.md'), 'utf8')
const named = [
  ...new Set([...document.matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, name = '']) => name)),
]

test.each(named)('%s, by which docs/security.md says something is held, is one file', (name) => {
  const found = files.filter((file) => `/${file}`.endsWith(`/${name}`))
  expect(found).toHaveLength(1)
})
