import { expect, test } from 'vitest'
import { isDue } from './cron.ts'

const at = (text: string) => new Date(`${text}:00Z`)

test('a line of stars is due in every minute', () => {
  expect(isDue('* * * * *', at('2026-11-21T03:16'))).toBe(true)
})

test('a daily line is due in its own minute alone', () => {
  expect(isDue('17 3 * * *', at('2026-11-21T03:17'))).toBe(true)
  expect(isDue('17 3 * * *', at('2026-11-21T03:18'))).toBe(false)
  expect(isDue('17 3 * * *', at('2026-11-21T04:17'))).toBe(false)
})

test('lists, ranges and steps are understood', () => {
  expect(isDue('*/15 * * * *', at('2026-11-21T03:45'))).toBe(true)
  expect(isDue('*/15 * * * *', at('2026-11-21T03:46'))).toBe(false)
  expect(isDue('5/20 * * * *', at('2026-11-21T03:25'))).toBe(true)
  expect(isDue('0 9-17 * * *', at('2026-11-21T17:00'))).toBe(true)
  expect(isDue('0,30 * 1,21 * *', at('2026-11-21T00:30'))).toBe(true)
})

test('Sunday is both 0 and 7', () => {
  const sunday = at('2026-11-22T00:00')
  expect(isDue('0 0 * * 0', sunday)).toBe(true)
  expect(isDue('0 0 * * 7', sunday)).toBe(true)
  expect(isDue('0 0 * * 1', sunday)).toBe(false)
})

test('a line with another number of fields is an error', () => {
  expect(() => isDue('* * * *', at('2026-11-21T00:00'))).toThrow('five fields')
})
