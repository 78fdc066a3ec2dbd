import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../../tests/harness/test-folder.ts'
import { findCycles } from './cycles.ts'

/** The cycles of a tree of these files. */
function cyclesOf(files: Record<string, string>): string[][] {
  const root = testFolder('cycles')
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return findCycles(root)
}

const ROUND = ['edge-api/a.ts', 'edge-api/deep/b.ts', 'edge-api/a.ts']

test.each([
  ['imported', "import { b } from './deep/b.ts'\nexport const a = b\n"],
  ['imported beside a type', "import { type B, b } from './deep/b.ts'\nexport const a: B = b\n"],
  ['imported for what it does', "import './deep/b.ts'\nexport const a = 1\n"],
  ['exported again', "export { b } from './deep/b.ts'\nexport const a = 1\n"],
  ['exported as a whole', "export * from './deep/b.ts'\nexport const a = 1\n"],
  ['imported later', "export const a = () => import('./deep/b.ts')\n"],
])('a module that is %s by what it imports is a cycle', (_, text) => {
  const back =
    "import { a } from '../a.ts'\nexport type B = number\nexport const b: B = Number(a)\n"
  expect(cyclesOf({ 'edge-api/a.ts': text, 'edge-api/deep/b.ts': back })).toEqual([ROUND])
})

test('types, packages and two ways to one module are not a cycle', () => {
  const files = {
    'src/a.ts': "import { b } from './b.ts'\nimport { c } from './c.ts'\nexport const a = b + c\n",
    'src/b.ts':
      "import type { A } from './a.ts'\nimport { c } from './c.ts'\nexport const b: A = c\n",
    'src/c.ts': "import { type A } from './a.ts'\nimport { z } from 'zod'\nexport const c: A = z\n",
  }
  expect(cyclesOf(files)).toEqual([])
})
