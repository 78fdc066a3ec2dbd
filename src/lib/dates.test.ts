import { afterEach, expect, test, vi } from 'vitest'
import { formatSellerDay, formatUtcMinute, monthsSince } from './dates.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.resetModules()
})

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

test('a document has the day on which its seller issued it', () => {
  expect(formatSellerDay('2026-11-22T18:29:59.999Z')).toBe('22 November 2026')
  expect(formatSellerDay('2026-11-22T18:30:00.000Z')).toBe('23 November 2026')
})

test('a calendar day stays the same day on a machine west of UTC', async () => {
  vi.stubEnv('TZ', 'America/Los_Angeles')
  vi.resetModules()
  const { formatDate } = await import('./dates.ts')
  expect(formatDate('2026-11-22')).toBe('22 November 2026')
})
