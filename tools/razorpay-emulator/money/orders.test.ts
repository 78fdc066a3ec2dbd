import { expect, test } from 'vitest'
import { at, createBench, textAt } from '../bench.ts'

const windows = (options: object) => ({
  amount: 100,
  currency: 'INR',
  payment: { capture: 'automatic', capture_options: { automatic_expiry_period: 12, ...options } },
})

const refused = [
  ['an unknown field', { amount: 100, currency: 'INR', colour: 'red' }, 'extra_field_sent'],
  ['99 paise', { amount: 99, currency: 'INR' }, 'amount_less_than_minimum_amount'],
  ['an amount as text', { amount: '100', currency: 'INR' }, 'input_validation_failed'],
  ['another currency', { amount: 100, currency: 'EUR' }, 'input_validation_failed'],
  ['a long receipt', { amount: 100, currency: 'INR', receipt: 'x'.repeat(41) }, undefined],
  ['a long note', { amount: 100, currency: 'INR', notes: { a: 'x'.repeat(257) } }, undefined],
  ['too short an expiry', windows({ automatic_expiry_period: 11 }), undefined],
  ['too long a window', windows({ manual_expiry_period: 7201 }), undefined],
  [
    'a window that ends before the capture',
    windows({ automatic_expiry_period: 60, manual_expiry_period: 59 }),
    undefined,
  ],
] as const

test.each(refused)('an order with %s is refused', async (_, body, reason) => {
  const bench = createBench()
  const { status, json } = await bench.api('POST', '/orders', body)
  expect(status).toBe(400)
  expect(at(json, 'error.code')).toBe('BAD_REQUEST_ERROR')
  if (reason) expect(at(json, 'error.reason')).toBe(reason)
})

test('unknown ids and unknown routes are answered as Razorpay does', async () => {
  const bench = createBench()
  const order = await bench.api('GET', '/orders/order_R1234567890123')
  expect(order.status).toBe(400)
  expect(at(order.json, 'error.description')).toBe('The id provided does not exist')
  const route = await bench.api('GET', '/settlements')
  expect(at(route.json, 'error.source')).toBe('NA')
})

test('a wrong key is refused before anything else is checked', async () => {
  const bench = createBench()
  const bad = { authorization: `Basic ${btoa('rzp_test_EMUkey00000001:wrong')}` }
  const { status, json } = await bench.api('POST', '/orders', {}, bad)
  expect(status).toBe(401)
  expect(textAt(json, 'error.description')).toBe('Authentication failed')
  const lower = { authorization: `basic ${btoa('rzp_test_EMUkey00000001:emu_key_secret_0001')}` }
  expect((await bench.api('GET', '/orders', undefined, lower)).status).toBe(401)
})
