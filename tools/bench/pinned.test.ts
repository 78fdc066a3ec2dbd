import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../launcher/settings.ts'

const LOCKFILES = ['package-lock.json', ...globSync('tools/**/package-lock.json', { cwd: root })]

test('packages come from the registry that npm is set up with: no lockfile names one', () => {
  expect(LOCKFILES.length).toBeGreaterThan(3)
  const naming = LOCKFILES.filter((file) =>
    /"resolved"/.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(naming).toEqual([])
})
