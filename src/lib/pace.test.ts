import { expect, test } from 'vitest'
import { paceOf } from './pace.ts'

const use = (...tokens: number[]) =>
  tokens.map((count, index) => ({ day: `2026-11-${20 + index}`, tokens: count }))

test('the average counts from the first day of use, and says when the last token goes', () => {
  expect(paceOf(use(0, 0, 300, 0, 600), 3_000)).toEqual({
    today: 600,
    average: 300,
    lastDay: '2026-12-04',
  })
  expect(paceOf(use(100, 100, 100), 50).lastDay).toBe('2026-11-22')
})

test('no last day is given for two days of use, for no use, and for tokens that last for ages', () => {
  expect(paceOf(use(0, 300, 300), 3_000).lastDay).toBeNull()
  expect(paceOf(use(0, 0, 0), 3_000)).toEqual({ today: 0, average: 0, lastDay: null })
  expect(paceOf(use(1, 0, 0), 1_000_000).lastDay).toBeNull()
})
