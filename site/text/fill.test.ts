import { expect, test } from 'vitest'
import { fill } from './fill.ts'

test('names in braces become their values, each time they occur', () => {
  expect(fill('{a} and {b} and {a}', { a: '1', b: '2' })).toBe('1 and 2 and 1')
})

test('a name that nobody knows stops the build', () => {
  expect(() => fill('{prize}', { price: '1' })).toThrow('{prize}')
})
