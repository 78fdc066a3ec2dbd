import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runInThisContext } from 'node:vm'
import { expect, test } from 'vitest'
import { root } from '../launcher/settings.ts'
import { startCoverage } from './coverage.ts'

test('what ran often is still counted when it runs again', () => {
  const file = 'hot.js'
  // Without a branch, its calls are all that is counted.
  const source = 'const half = (value) => value / 2; half'
  const coverage = startCoverage([{ file, start: source.indexOf('value /') }])
  const filename = pathToFileURL(join(root, file)).href
  const half: (value: number) => number = runInThisContext(source, { filename })
  for (let value = 0; value < 1_000_000; value += 1) half(value)
  expect(coverage.sinceLast()).toEqual([0])
  half(1)
  expect(coverage.sinceLast()).toEqual([0])
  expect(coverage.sinceLast()).toEqual([])
  coverage.stop()
})
