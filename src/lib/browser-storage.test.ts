import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { browserKeeps, KEPT } from './browser-storage.ts'

const sources = ['src', 'site'].flatMap((root) =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((file) => /(?<!\.test)\.(ts|tsx|astro)$/.test(file.name))
    .map((file) => readFileSync(`${file.parentPath}/${file.name}`, 'utf8')),
)

test('the privacy page names everything that the code keeps in the browser, and counts it', () => {
  const literal = sources.flatMap((text) =>
    [...text.matchAll(/Storage\.\w+Item\(\s*'([^']+)'/g)].map(([, key = '']) => key),
  )
  expect(literal.length).toBeGreaterThan(3)
  expect(literal.filter((key) => !(key in KEPT))).toEqual([])
  for (const key of Object.keys(KEPT)) {
    expect(sources.filter((text) => text.includes(`'${key}'`)).length, key).toBeGreaterThan(0)
  }
  expect(browserKeeps()).toMatch(/^nine things for us in its own storage: .+, and .+$/)
  expect(readFileSync('site/content/legal/privacy.md', 'utf8')).toContain('{browserKeeps}')
})
