import { expect, test } from 'vitest'
import { buyLabel, MAIN_PLAN, majorAmount, PLANS, TOKEN_PACK } from './catalogue.ts'
import { DEFAULT_CURRENCY } from './kinds.ts'
import { Currency } from './currency.ts'

test('a token pack is 1,000,000 tokens for 25.00 USD or 2199.00 INR', () => {
  expect(TOKEN_PACK.tokens).toBe(1_000_000)
  expect(majorAmount(TOKEN_PACK.priceMinor.USD)).toBe(25)
  expect(majorAmount(TOKEN_PACK.priceMinor.INR)).toBe(2_199)
})

test('a plan is 1,000,000 tokens for 35 USD or 2999 INR', () => {
  expect(majorAmount(MAIN_PLAN.priceMinor.USD)).toBe(35)
  expect(majorAmount(MAIN_PLAN.priceMinor.INR)).toBe(2_999)
  expect(MAIN_PLAN.tokens).toBe(1_000_000)
})

test('each plan has a SKU of its own', () => {
  expect(new Set(PLANS.map(({ sku }) => sku)).size).toBe(PLANS.length)
})

test('the currencies are USD and INR, with USD as default', () => {
  expect(Currency.options).toEqual(['USD', 'INR'])
  expect(DEFAULT_CURRENCY).toBe('USD')
})

test('the button of the only plan has the words of the specification, and others name their plan', () => {
  expect(buyLabel('Pro')).toBe(PLANS.length === 1 ? 'Buy Now' : 'Buy Pro')
})
