import { afterEach, expect, test, vi } from 'vitest'
import { formatSellerDay } from './dates.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.resetModules()
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
