import { expect, test } from 'vitest'
import { UserCode } from './device.ts'

test('a user code is accepted in any case, with spaces or hyphens', () => {
  expect(UserCode.parse(' bcdf-ghjk ')).toBe('BCDFGHJK')
  expect(UserCode.parse('BCDF GHJK')).toBe('BCDFGHJK')
  expect(UserCode.safeParse('BCDF-GHJ').success).toBe(false)
  expect(UserCode.safeParse('AEIO-UAEI').success).toBe(false)
})
