import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LONG } from './long-first.ts'
import { root } from './settings.ts'

test('every file that is started early exists', () => {
  expect(Object.keys(LONG).filter((path) => !existsSync(join(root, path)))).toEqual([])
})
