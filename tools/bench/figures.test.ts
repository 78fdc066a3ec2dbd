import { expect, test } from 'vitest'
import { median, paceOf, quantile } from './figures.ts'

test('figures of calls are those of all of them, in any order', () => {
  const times = Array.from({ length: 200 }, (_, nth) => ((nth * 7) % 200) + 1)
  expect(paceOf(times, 4)).toEqual({ perSecond: 50, p50: 101, p99: 199, worst: 200 })
})

test('the median of an even number is the mean of the two in the middle', () => {
  expect(median([9, 1, 2])).toBe(2)
  expect(median([9, 1, 2, 4])).toBe(3)
})

test('of nothing there are no figures', () => {
  expect([median([]), quantile([], 0.5)]).toEqual([Number.NaN, Number.NaN])
})
