import { expect, test } from 'vitest'
import { recordUsageSessionEndpoint, useTokensEndpoint } from './report-usage.ts'
import { PageQuery, usageEndpoint } from './usage.ts'

test('use-tokens uses one token by default', () => {
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
])('use-tokens rejects an amount of %j', (amount) => {
  expect(useTokensEndpoint.body.safeParse({ amount }).success).toBe(false)
})

test('the id of a usage session has 8 to 64 letters, digits, hyphens or underscores', () => {
  const start = { event: 'start', mode: 'meeting' }
  const isAccepted = (sessionId: string) =>
    recordUsageSessionEndpoint.body.safeParse({ ...start, sessionId }).success
  expect(isAccepted('meeting-1')).toBe(true)
  expect(isAccepted('short')).toBe(false)
  expect(isAccepted('a/../../b')).toBe(false)
  expect(isAccepted('a'.repeat(65))).toBe(false)
})

test('days and page sizes are read from the query and have bounds', () => {
  expect(usageEndpoint.query.parse({})).toEqual({ days: 30 })
  expect(usageEndpoint.query.parse({ days: '7' })).toEqual({ days: 7 })
  expect(usageEndpoint.query.safeParse({ days: '91' }).success).toBe(false)
  expect(PageQuery.parse({})).toEqual({ limit: 20 })
  expect(PageQuery.safeParse({ limit: '0' }).success).toBe(false)
  expect(PageQuery.safeParse({ limit: '101' }).success).toBe(false)
  expect(PageQuery.safeParse({ limit: 'many' }).success).toBe(false)
})
