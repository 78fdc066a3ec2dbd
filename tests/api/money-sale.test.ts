import { expect, inject, test, vi } from 'vitest'
import '../harness/provided.ts'
import { newBuyer } from '../harness/world/buyer.ts'
import { controlOf } from '../harness/world/razorpay-control.ts'

const siteUrl = inject('siteUrl')
const razorpay = controlOf(inject('emulatorUrl'))

test('a sale by the widget: order, pay, verify, tokens', async () => {
  const buyer = await newBuyer(siteUrl)
  const { order, purchaseId } = await buyer.order({ amount: 35 })
  expect(order).toMatchObject({ amount: 3_500, currency: 'USD' })
  const triple = await razorpay.pay(order.id)
  const verified = await buyer.call('/api/payment/verify-payment', {
    json: { ...triple, planType: 'pro' },
  })
  expect(verified).toMatchObject({
    status: 200,
    body: { success: true, status: 'paid', message: 'Payment verified successfully!' },
  })
  expect(await buyer.balance()).toMatchObject({
    subscription: { status: 'active' },
    tokens: { used: 0, total: 1_000_000 },
  })
  expect(await buyer.stateOf(purchaseId)).toMatchObject({ status: 'paid', settlement: 'paid' })
})

test('a sale by webhook alone: the window was closed after paying', async () => {
  const buyer = await newBuyer(siteUrl)
  const { order } = await buyer.order({ preferredCurrency: 'INR', amount: 2_999 })
  await razorpay.pay(order.id, { method: 'upi', vpa: 'success@razorpay' })
  await vi.waitFor(
    async () => {
      expect((await buyer.balance()).tokens.total).toBe(1_000_000)
    },
    { timeout: 10_000, interval: 200 },
  )
})
