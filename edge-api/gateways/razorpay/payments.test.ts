import { expect, test } from 'vitest'
import { answeringRazorpay } from '../../../tests/harness/fixture/answering-razorpay.ts'

const PAYMENT = 'pay_EMUa1B2c3D4e5F'
const payment = {
  id: PAYMENT,
  order_id: 'order_EMUa1B2c3D4e5F',
  amount: 3_500,
  currency: 'USD',
  captured: true,
}

test('a failed capture returns the payment if it is captured all the same, and throws otherwise', async () => {
  const capture = (status: string) => {
    const { gateway } = answeringRazorpay(({ method }) =>
      method === 'POST'
        ? { status: 400, body: { error: { code: 'BAD_REQUEST_ERROR' } } }
        : { body: { ...payment, status } },
    )
    return gateway.capture({ paymentId: PAYMENT, amountMinor: 3_500, currency: 'USD' })
  }
  expect(await capture('captured')).toMatchObject({ paymentId: PAYMENT, status: 'captured' })
  await expect(capture('authorized')).rejects.toMatchObject({ name: 'GatewayRejected' })
})

test('a refund is sent under its key and amount', async () => {
  const refund = {
    ...{ id: 'rfnd_EMUa1B2c3D4e5F', payment_id: PAYMENT, amount: 500, currency: 'USD' },
    ...{ status: 'pending', created_at: 1_790_000_000 },
  }
  const { gateway, asked } = answeringRazorpay(() => ({ body: refund }))
  await gateway.refund({ paymentId: PAYMENT, amountMinor: 500, key: 'excess-1234' })
  expect(asked).toMatchObject([
    {
      path: `/v1/payments/${PAYMENT}/refund`,
      headers: { 'x-refund-idempotency': 'excess-1234-500' },
      body: { amount: 500, speed: 'normal' },
    },
  ])
})
