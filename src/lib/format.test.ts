import { expect, test } from 'vitest'
import { formatMinor } from '../contract/amount.ts'
import { formatAgo } from './ago.ts'
import { formatCalendarDay } from './dates.ts'
import {
  countsBetween,
  formatCount,
  formatHours,
  formatPrice,
  percentOf,
  roundUp,
} from './numbers.ts'

test('amounts and prices have a symbol and ungrouped digits', () => {
  expect(formatMinor(2_500, 'USD')).toBe('$25.00')
  expect(formatMinor(219_900, 'INR')).toBe('₹2,199.00')
  expect(formatMinor(-3_500, 'USD')).toBe('−$35.00')
  expect(formatPrice(35, 'USD')).toBe('$35')
  expect(formatPrice(29.5, 'USD')).toBe('$29.50')
  expect(formatPrice(2_999, 'INR')).toBe('₹2,999')
})

test('a share is at most 100, and at most 99 until all tokens are used', () => {
  expect([percentOf(1, 3), percentOf(5, 4), percentOf(0, 0)]).toEqual([33, 100, 0])
  expect(percentOf(999_600, 1_000_000)).toBe(99)
})

test('a number rolls to its new value in one direction and ends there', () => {
  const counts = countsBetween(1_000_000, 998_500).map((text) => Number(text.replaceAll(',', '')))
  expect(counts).toEqual(counts.toSorted((one, other) => other - one))
  expect(counts[0]).toBeLessThan(1_000_000)
  expect(counts.at(-1)).toBe(998_500)
  expect(counts.length, 'frames, at 60 in a second').toBeLessThanOrEqual(12)
})

test('counts are grouped, and hours have at most one decimal', () => {
  expect(formatCount(1_000_000)).toBe('1,000,000')
  expect([formatHours(0), formatHours(5_400), formatHours(43_200)]).toEqual(['0h', '1.5h', '12h'])
})

test('formatAgo says how long ago in words', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  const ago = (instant: string) => formatAgo(instant, now)
  expect(ago('2026-11-21T11:59:40Z')).toBe('just now')
  expect(ago('2026-11-21T11:58:00Z')).toBe('2 min ago')
  expect(ago('2026-11-21T11:00:00Z')).toBe('1 hour ago')
  expect(ago('2026-11-20T11:00:00Z')).toBe('yesterday')
  expect(ago('2026-11-11T11:00:00Z')).toBe('10 days ago')
  // As the reader's calendar has it.
  expect(ago(new Date(2026, 0, 2, 11).toISOString())).toBe('2 January 2026')
})

test('a UTC day is not shifted by the time zone', () => {
  expect(formatCalendarDay('2026-11-21')).toBe('21 Nov')
})

test('the top of a scale is the next round number', () => {
  expect([1, 3, 20_000, 20_001, 95, 1_700].map(roundUp)).toEqual([1, 3, 20_000, 30_000, 100, 2_000])
})
