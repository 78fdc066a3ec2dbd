import { expect, test } from 'vitest'
import { BillingDetails, isGstin } from './billing.ts'

test.each([
  ['deducts tax at source', '27PNEA06819B1DE', '27'],
  ['is not resident', '9917IRL29003OSG', '96'],
])('the GSTIN of a buyer who %s is taken: %s', (_, gstin, place) => {
  expect(isGstin(gstin)).toBe(true)
  expect(BillingDetails.parse({ place, gstin })).toMatchObject({ gstin })
  expect(BillingDetails.safeParse({ place: '29', gstin }).success).toBe(false)
  expect(isGstin(`${gstin.slice(0, -1)}0`)).toBe(false)
})

test('the check digit of a GSTIN is verified, and its state is that of the buyer', () => {
  expect(isGstin('27AAPFU0939F1ZV')).toBe(true)
  for (const digit of '0123456789ABCDEFGHIJKLMNOPQRSTUWXYZ') {
    expect(isGstin(`27AAPFU0939F1Z${digit}`), digit).toBe(false)
  }
  expect(isGstin('27AAPFU0993F1ZV')).toBe(false)
  const gstin = '27aapfu0939f1zv'
  expect(BillingDetails.parse({ place: '27', gstin })).toMatchObject({ gstin: '27AAPFU0939F1ZV' })
  expect(BillingDetails.safeParse({ place: '29', gstin }).success).toBe(false)
  expect(BillingDetails.safeParse({ place: '25' }).success).toBe(false)
})
