import { expect, test } from 'vitest'
import { ownSystem } from './own-system.ts'

test.each([
  ['Macintosh; Intel Mac OS X 10_15_7', 'mac'],
  ['Windows NT 10.0; Win64; x64', 'windows'],
  ['X11; Linux x86_64', null],
  ['iPhone; CPU iPhone OS 19_1 like Mac OS X', null],
])('the system of "%s" is %s', (words, system) => {
  expect(ownSystem(`Mozilla/5.0 (${words})`)).toBe(system)
})
