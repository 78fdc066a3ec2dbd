import { expect, test } from 'vitest'
import { CUSTOMER_ROWS_MAX } from '../../contract/desk.ts'
import { risksOf, sumsOf } from './at-a-glance.ts'
import { formatSum, formatUtcMinute } from './formats.ts'

const usd = (amountMinor: number, leftMinor: number | null) => ({
  amountMinor,
  leftMinor,
  currency: 'USD' as const,
})

test('the strip adds up what was paid and how much of it is gone, for each currency', () => {
  const inr = { amountMinor: 299_900, leftMinor: 149_950, currency: 'INR' as const }
  expect(sumsOf([usd(3_500, 3_500), usd(2_500, 0), usd(2_500, null), inr])).toEqual({
    paid: '$60.00 + ₹2,999.00',
    back: '$25.00 + ₹1,499.50',
  })
})

test('no more of a payment can be gone than was paid, and without a payment there is nothing', () => {
  expect(sumsOf([usd(3_500, -700)])).toEqual({ paid: '$35.00', back: '$35.00' })
  expect(sumsOf([usd(3_500, null)])).toEqual({ paid: 'nothing', back: 'nothing' })
})

test('no sum is shown where the answer may not have every purchase', () => {
  expect(sumsOf(Array.from({ length: CUSTOMER_ROWS_MAX }, () => usd(100, 100)))).toBeNull()
})

test('the risks are what is open or wrong, and nothing else', () => {
  const calm = { deletedAt: null, suspendedAt: null }
  expect(risksOf({ ...calm, purchases: [{ status: 'paid' }, { status: 'refunded' }] })).toEqual([])
  const at = '2026-11-25T10:00:00.000Z'
  const bad = { deletedAt: at, suspendedAt: at }
  expect(risksOf({ ...bad, purchases: [{ status: 'disputed' }, { status: 'review' }] })).toEqual([
    'deleted',
    'suspended',
    'open dispute',
    'payment in review',
  ])
})

test('a sum has grouped digits as its country writes them', () => {
  expect(formatSum(23_291_700, 'INR')).toBe('₹2,32,917.00')
  expect(formatSum(-123_450, 'USD')).toBe('−$1,234.50')
})

test('an instant in UTC is the same wherever its reader is', () => {
  expect(formatUtcMinute('2026-11-22T09:05:00.000Z')).toBe('22 Nov 2026, 09:05')
})
