import { expect, test } from 'vitest'
import { openUnpaidPurchase, paymentFor, refundOf } from '../../../tests/harness/world/purchase.ts'
import { factsOf } from '../ports/payments.ts'
import { settle } from './settle.ts'

test('settling a purchase 20 times at once gives one grant, one receipt and one mail', async () => {
  const { world, purchase, outcome } = await openUnpaidPurchase()
  const payment = paymentFor(purchase)
  const reports = [
    factsOf({ payments: [{ ...payment, status: 'authorized' }] }),
    factsOf({ payments: [payment] }),
    factsOf({ payments: [{ ...payment, status: 'failed' }] }),
    factsOf({
      payments: [payment],
      orders: [{ razorpayOrderId: payment.razorpayOrderId, purchaseId: purchase.id }],
    }),
    factsOf({}),
  ]
  const settled = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      settle(world.ctx(), purchase, reports[index % reports.length] ?? factsOf({})),
    ),
  )
  expect(settled.filter(({ isNewlyPaid }) => isNewlyPaid)).toHaveLength(1)
  expect(await outcome()).toMatchObject({
    status: 'paid',
    grants: 1,
    receipts: 1,
    left: 1_000_000,
    ledgerSum: 1_000_000,
    mails: ['mail-receipt'],
  })
  expect([world.alerts, world.errors]).toEqual([[], []])
})

test('a refund reported 10 times at once takes its tokens back once', async () => {
  const { world, purchase, report, outcome } = await openUnpaidPurchase()
  const payment = paymentFor(purchase)
  await report({ payments: [payment] })
  const refund = factsOf({
    payments: [{ ...payment, amountRefundedMinor: 1_000 }],
    refundsAndDisputes: [refundOf(payment, { amountMinor: 1_000 })],
  })
  await Promise.all(Array.from({ length: 10 }, () => settle(world.ctx(), purchase, refund)))
  expect(await outcome()).toMatchObject({ left: 600_000, ledgerSum: 600_000, shortfall: 0 })
})
