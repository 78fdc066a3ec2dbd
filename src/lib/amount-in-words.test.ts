import { expect, test } from 'vitest'
import { amountInWords } from './amount-in-words.ts'

test.each([
  [219_900, 'INR', 'Rupees two thousand one hundred ninety-nine only'],
  [
    1_23_45_678_50,
    'INR',
    'Rupees one crore twenty-three lakh forty-five thousand six hundred seventy-eight and fifty paise only',
  ],
  [3_500, 'USD', 'US dollars thirty-five only'],
  [1_000_019_01, 'USD', 'US dollars one million nineteen and one cents only'],
  [5, 'USD', 'US dollars zero and five cents only'],
] as const)('%i in %s is %s', (amount, currency, words) => {
  expect(amountInWords(amount, currency)).toBe(words)
})
