import { expect, test } from 'vitest'
import { aLine } from '../../../tests/stores/samples.ts'
import { daysOf, monthsSince, signed } from './days.ts'

const createdAt = '2026-11-22T10:00:00.000Z'
const MONTH = {
  closing: 960,
  lines: [
    aLine({ mode: 'sales', sessionId: 'acme', tokens: -30, createdAt }),
    aLine({ mode: null, sessionId: null, tokens: -10, createdAt }),
    aLine({
      ...{ kind: 'grant', mode: null, tokens: 1_000, purchaseId: 'pur_1', item: 'Pro' },
      createdAt: '2026-11-20T10:00:00.000Z',
    }),
  ],
}
const ALL = { show: '', search: '' } as const

test('each line says what was left after it, even when others are not shown', () => {
  expect(daysOf(MONTH, ALL)).toMatchObject([
    {
      ...{ day: '2026-11-22', tokens: -40 },
      lines: [{ balance: 960, title: 'Sales' }, { balance: 990 }],
    },
    { day: '2026-11-20', tokens: 1_000, lines: [{ balance: 1_000, title: 'Bought Pro' }] },
  ])
  expect(daysOf(MONTH, { ...ALL, show: 'grant' })).toMatchObject([{ lines: [{ balance: 1_000 }] }])
  expect(daysOf(MONTH, { ...ALL, show: 'sales' })).toMatchObject([{ lines: [{ balance: 960 }] }])
})

test('a change has a sign, unless it is none', () => {
  expect([-12_000, 0, 1_000].map(signed)).toEqual(['−12,000', '0', '+1,000'])
})

test.each([
  ['acme', 1],
  ['bought pro', 1],
  ['22 november', 2],
  ['1000', 1],
  ['nowhere', 0],
])('the search for %s finds %d lines', (search, count) => {
  expect(daysOf(MONTH, { ...ALL, search }).flatMap(({ lines }) => lines)).toHaveLength(count)
})

test('the months since an instant until one go over the years, newest first, in UTC', () => {
  const now = '2027-01'
  expect(monthsSince('2026-11-30T23:59:59.000Z', now)).toEqual(['2027-01', '2026-12', '2026-11'])
  expect(monthsSince('2027-01-31T19:00:00.000Z', now)).toEqual(['2027-01'])
  // A clock that runs behind the server's.
  expect(monthsSince('2027-03-01T00:00:00.000Z', now)).toEqual(['2027-01'])
})
