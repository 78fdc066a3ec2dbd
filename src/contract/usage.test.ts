import { expect, test } from 'vitest'
import { UserCode } from './device.ts'
import { IdempotencyKey } from './purchase.ts'
import { PageQuery, recordUsageSessionEndpoint, usageEndpoint, useTokensEndpoint } from './usage.ts'

test('one token is used unless the body says otherwise', () => {
  expect(useTokensEndpoint.body.parse({})).toEqual({ amount: 1 })
})

test.each([
  [0],
  [-1],
  [1.5],
  [1_000_001],
  [2 ** 53],
  [1e309],
  [Number.NaN],
  ['1000'],
  [null],
  [[1]],
])('an amount of %j is refused', (amount) => {
  expect(useTokensEndpoint.body.safeParse({ amount }).success).toBe(false)
})

test('the id of a usage session is safe in a file name or a log', () => {
  const start = { event: 'start', mode: 'meeting' }
  const isTaken = (sessionId: string) =>
    recordUsageSessionEndpoint.body.safeParse({ ...start, sessionId }).success
  expect(isTaken('meeting-1')).toBe(true)
  expect(isTaken('short')).toBe(false)
  expect(isTaken('a/../../b')).toBe(false)
  expect(isTaken('a'.repeat(65))).toBe(false)
})

test('spans and pages are numbers within their bounds, written as text in the address', () => {
  expect(usageEndpoint.query.parse({})).toEqual({ days: 30 })
  expect(usageEndpoint.query.parse({ days: '7' })).toEqual({ days: 7 })
  expect(usageEndpoint.query.safeParse({ days: '91' }).success).toBe(false)
  expect(PageQuery.parse({})).toEqual({ limit: 20 })
  expect(PageQuery.safeParse({ limit: '0' }).success).toBe(false)
  expect(PageQuery.safeParse({ limit: '101' }).success).toBe(false)
  expect(PageQuery.safeParse({ limit: 'many' }).success).toBe(false)
})

test('a device code is read as people type it', () => {
  expect(UserCode.parse(' bcdf-ghjk ')).toBe('BCDFGHJK')
  expect(UserCode.parse('BCDF GHJK')).toBe('BCDFGHJK')
  expect(UserCode.safeParse('BCDF-GHJ').success).toBe(false)
  expect(UserCode.safeParse('AEIO-UAEI').success).toBe(false)
})

test.each([[''], ['a b'], ['schlüssel'], ['a'.repeat(101)]])(
  'an idempotency key of %j is refused',
  (key) => {
    expect(IdempotencyKey.safeParse(key).success).toBe(false)
  },
)
