import { expect, test } from 'vitest'
import { formatUtcMinute, monthsSince } from './dates.ts'

test('the months since an instant go over the years, newest first, in UTC', () => {
  const now = Date.parse('2027-02-01T00:30:00+05:30')
  expect(monthsSince('2026-11-30T23:59:59.000Z', now)).toEqual(['2027-01', '2026-12', '2026-11'])
  expect(monthsSince('2027-01-31T19:00:00.000Z', now)).toEqual(['2027-01'])
  // A clock that runs behind the server's.
  expect(monthsSince('2027-03-01T00:00:00.000Z', now)).toEqual(['2027-01'])
})

test('an instant in UTC is the same wherever its reader is', () => {
  expect(formatUtcMinute('2026-11-22T09:05:00.000Z')).toBe('22 Nov 2026, 09:05')
})
