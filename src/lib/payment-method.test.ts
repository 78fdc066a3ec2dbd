import { expect, test } from 'vitest'
import { paymentMethodName } from './payment-method.ts'

test.each([
  ['card', 'Card'],
  ['upi', 'UPI'],
  ['netbanking', 'Netbanking'],
  ['wallet', 'Wallet'],
  ['paylater', 'Pay later'],
  ['cardless_emi', 'Cardless EMI'],
  ['bank_transfer', 'Bank transfer'],
])('the payment method "%s" is shown as %s', (method, name) => {
  expect(paymentMethodName(method)).toBe(name)
})
