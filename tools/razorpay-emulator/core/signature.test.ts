import { expect, test } from 'vitest'
import { defaults } from '../safety.ts'
import { sign, signCheckout, signLink } from './signature.ts'

test('a checkout signature is over the order id and the payment id', () => {
  expect(signCheckout('order_EMUa1B2c3D4e5F', 'pay_EMUp7Q8r9S0t1U', defaults.keySecret)).toBe(
    '1b616f94be284f5bdd9cbc9912ccc588f588c8c917eefcf7bb337e5170b6ac5e',
  )
})

test('a link signature is over link, reference, status and payment', () => {
  const link = {
    id: 'plink_EMUx2Y3z4A5b6C',
    referenceId: 'prc_01EMU0000000000000000000A',
    status: 'paid',
    paymentId: 'pay_EMUp7Q8r9S0t1U',
  }
  expect(signLink(link, defaults.keySecret)).toBe(
    'add817542e81c0c9d544909fd0890fa29d4f5dccb84ba085daee9790c0e8cb0d',
  )
})

test('a webhook is signed over its bytes with the webhook secret', () => {
  const body =
    '{"entity":"event","account_id":"acc_EMUacct0000001","event":"payment.captured","contains":["payment"],"payload":{"payment":{"entity":{"id":"pay_EMUp7Q8r9S0t1U","entity":"payment","amount":49900,"currency":"INR","status":"captured","order_id":"order_EMUa1B2c3D4e5F"}}},"created_at":1790000002}'
  expect(body).toHaveLength(292)
  expect(sign(body, defaults.webhookSecret)).toBe(
    '8053407a7175c61afb4f2a9398039f8825d70dbe461c3e518874288d863f9317',
  )
})
