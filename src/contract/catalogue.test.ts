import { expect, test } from 'vitest'
import { Currency, DEFAULT_CURRENCY, majorAmount, PLANS, PRO, TOKEN_PACK } from './catalogue.ts'

test('spec 9: a token pack is 1,000,000 tokens for 25.00 USD or 2199.00 INR', () => {
  expect(TOKEN_PACK.tokens).toBe(1_000_000)
  expect(majorAmount(TOKEN_PACK.priceMinor.USD)).toBe(25)
  expect(majorAmount(TOKEN_PACK.priceMinor.INR)).toBe(2_199)
})

test('spec 9: the plan is 35 USD or 2999 INR and adds 1,000,000 tokens', () => {
  expect(majorAmount(PRO.priceMinor.USD)).toBe(35)
  expect(majorAmount(PRO.priceMinor.INR)).toBe(2_999)
  expect(PRO.tokens).toBe(1_000_000)
})

test('spec 9: currencies are USD and INR, USD by default', () => {
  expect(Currency.options).toEqual(['USD', 'INR'])
  expect(DEFAULT_CURRENCY).toBe('USD')
})

test('plans are keyed by their plan type', () => {
  expect(Object.entries(PLANS).map(([type, { sku }]) => [type, sku])).toEqual([['pro', 'pro']])
})
