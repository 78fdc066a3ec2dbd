import { expect, test } from 'vitest'
import { useJobBench } from '#harness/fixture/job-bench.ts'
import { paymentFor } from '#harness/fixture/purchase.ts'
import { paymentEvent } from '#harness/fixture/razorpay.ts'
import { purchases, webhookEvents } from '../db/schema/purchases.ts'
import { factsOf } from '../domain/ports/payments.ts'
import { settle } from '../domain/purchase/settle.ts'
import { days, minutes } from '../domain/time.ts'
import { auditPurchases, settleOpenPurchases } from './run-jobs.ts'

const bench = useJobBench()

test('a run that never ends does not keep the next from settling', async () => {
  const fixture = bench.fixture
  const hanging = { ...bench.gateway, paymentsOfOrder: () => new Promise<never>(() => undefined) }
  const stuck = await bench.openOrder()
  void settleOpenPurchases({ ...fixture.ctx(), payments: hanging })
  await expect
    .poll(async () => (await stuck.outcome()).nextCheckAt)
    .toBeGreaterThan(fixture.now() + minutes(4))
  fixture.advance(1)
  const { orderId, outcome } = await bench.openOrder()
  await bench.razorpay.pay(orderId)
  await settleOpenPurchases(fixture.ctx())
  expect(await outcome()).toMatchObject({ status: 'paid', grants: 1 })
})

test('a run settles a webhook that was stored and not settled, even if no check of its purchase is due', async () => {
  const { fixture, razorpay } = bench
  const { orderId, purchase, outcome } = await bench.openOrder()
  const { paymentId } = await razorpay.pay(orderId)
  const { amountMinor: amount, currency } = purchase
  const payment = { id: paymentId, order_id: orderId, amount, currency }
  const body = paymentEvent('payment.captured', payment)
  const { db, now } = fixture.ctx()
  await db.batch([
    db.update(purchases).set({ nextCheckAt: null }),
    db
      .insert(webhookEvents)
      .values({ eventId: 'stored', event: 'payment.captured', body, receivedAt: now }),
  ])
  fixture.advance(minutes(2))
  await settleOpenPurchases(fixture.ctx())
  const { status, grants } = await outcome()
  expect({ status, grants }, 'the purchase that the stored webhook says is paid').toEqual({
    status: 'paid',
    grants: 1,
  })
})

test('the daily audit compares a made-up grant again when it is a month old', async () => {
  const { fixture } = bench
  const { purchase } = await bench.openOrder()
  const payment = paymentFor(purchase, { beganAt: null })
  await settle(fixture.ctx(), purchase, factsOf({ payments: [payment] }))
  fixture.advance(days(31))
  fixture.alerts.splice(0)
  await auditPurchases(fixture.ctx())
  expect(fixture.alerts).toMatchObject([
    { event: 'what is stored contradicts Razorpay', fields: { ids: payment.paymentId } },
  ])
})
