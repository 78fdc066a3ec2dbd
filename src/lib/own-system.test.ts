import { expect, test } from 'vitest'
import { ownSystem } from './own-system.ts'

test.each([
  ['Macintosh; Intel Mac OS X 10_15_7', 0, 'mac'],
  // An iPad, whose Safari says that it is a Mac.
  ['Macintosh; Intel Mac OS X 10_15_7', 5, null],
  ['Windows NT 10.0; Win64; x64', 10, 'windows'],
  ['X11; Linux x86_64', 0, null],
  ['iPhone; CPU iPhone OS 19_1 like Mac OS X', 5, null],
])('the system of "%s" with %d touch points is %s', (words, touchPoints, system) => {
  expect(ownSystem(`Mozilla/5.0 (${words})`, touchPoints)).toBe(system)
})
