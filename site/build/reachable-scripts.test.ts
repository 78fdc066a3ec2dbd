import { expect, test } from 'vitest'
import { reachableScripts } from './reachable-scripts.ts'

test('what a page names is followed through lazy imports and around cycles, and nothing else', () => {
  const files = new Map([
    ['page.A-1.js', 'import"./shared.js";one()'],
    ['shared.js', 'two();()=>import("./lazy.js")'],
    ['lazy.js', 'import"./page.A-1.js";three()'],
    ['other.js', 'four()'],
  ])
  const text = reachableScripts('<script src="/_astro/page.A-1.js"></script>', files)
  for (const call of ['one()', 'two()', 'three()']) expect(text).toContain(call)
  expect(text).not.toContain('four()')
})
