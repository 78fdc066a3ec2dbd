import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../../tests/harness/test-folder.ts'
import { inputsHash } from './build.ts'

function tree(): string {
  const root = testFolder('tree')
  mkdirSync(join(root, 'site/pages/.well-known'), { recursive: true })
  writeFileSync(join(root, 'site/pages/index.astro'), 'one')
  return root
}

test('the same tree has the same hash, a changed page another', () => {
  const root = tree()
  const before = inputsHash(root, {})
  expect(inputsHash(root, {})).toBe(before)
  writeFileSync(join(root, 'site/pages/index.astro'), 'two')
  expect(inputsHash(root, {})).not.toBe(before)
})

test('a new file and another environment count, tests do not', () => {
  const root = tree()
  const before = inputsHash(root, {})
  writeFileSync(join(root, 'site/pages/a.test.ts'), 'test')
  expect(inputsHash(root, {})).toBe(before)
  expect(inputsHash(root, { CLOUDFLARE_ENV: 'staging' })).not.toBe(before)
  for (const file of ['b.astro', '.well-known/security.txt.ts']) {
    const earlier = inputsHash(root, {})
    writeFileSync(join(root, 'site/pages', file), '')
    expect(inputsHash(root, {}), file).not.toBe(earlier)
  }
})

test('a change of how it is built counts', () => {
  const root = tree()
  const before = inputsHash(root, {})
  mkdirSync(join(root, 'tools/build'), { recursive: true })
  writeFileSync(join(root, 'tools/build/lean.mjs'), '')
  expect(inputsHash(root, {})).not.toBe(before)
})
