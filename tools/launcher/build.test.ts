import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../../tests/harness/test-folder.ts'
import { inputsHash } from './build.ts'

const write = (path: string, text = '') => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

test.each([
  ['nothing', [], false],
  ['a page', ['site/pages/index.astro', 'two'], true],
  ['a new page', ['site/pages/b.astro'], true],
  ['a new file in a hidden folder', ['site/pages/.well-known/security.txt.ts'], true],
  ['how it is built', ['tools/build/lean.mjs'], true],
  ['a test', ['site/pages/a.test.ts', 'test'], false],
])('a change of %s: %j changes the hash of a tree: %j', (_, [path, text], isOther) => {
  const root = testFolder('tree')
  write(join(root, 'site/pages/index.astro'), 'one')
  const before = inputsHash(root, {})
  if (path !== undefined) write(join(root, path), text)
  expect(inputsHash(root, {}) !== before).toBe(isOther)
  expect(inputsHash(root, { CLOUDFLARE_ENV: 'staging' })).not.toBe(before)
})
