import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { type JobBench, useJobBench } from '../../../tests/harness/fixture/job-bench.ts'
import { days, hours, minutes } from '../time.ts'
import { auditPayments } from './audit-payments.ts'
import { reconcilePurchases } from './reconcile.ts'

// Each test has its own database and emulator, because the job checks everything that is due.
const bench = useJobBench()

type Opened = Awaited<ReturnType<JobBench['openOrder']>>

test('a purchase that is not due is not checked, and of three runs at once one checks it', async () => {
  const { fixture, orderId, outcome } = await bench.openOrder()
  await reconcilePurchases(fixture.ctx())
  expect(await outcome()).toMatchObject({ status: 'open' })
  await bench.razorpay.pay(orderId)
  await reconcilePurchases(fixture.ctx())
  expect(await outcome()).toMatchObject({ status: 'open' })
  fixture.advance(minutes(1))
  await Promise.all([1, 2, 3].map(() => reconcilePurchases(fixture.ctx())))
  expect(await outcome()).toMatchObject({ status: 'paid', grants: 1 })
})

test('a purchase that Razorpay rejects raises an alert, is checked less often and expires', async () => {
  const opened = await bench.openOrder()
  const { fixture, orderId, outcome } = opened
  await bindOrder(opened)
  await bench.razorpay.fail(`/v1/orders/${orderId}/payments`, 400)
  await reconcilePurchases(fixture.ctx())
  expect(await outcome()).toMatchObject({ nextCheckAt: fixture.now() + minutes(1) })
  fixture.advance(hours(97))
  await reconcilePurchases(fixture.ctx())
  expect(await outcome()).toMatchObject({ status: 'expired' })
  fixture.advance(days(2))
  await reconcilePurchases(fixture.ctx())
  expect(await outcome()).toMatchObject({ status: 'expired', nextCheckAt: null })
  expect(fixture.alerts.map(({ event }) => event)).toEqual(
    Array.from({ length: 3 }, () => 'the payment provider refused'),
  )
  await bench.razorpay.clearFaults()
})

test('a payment that cannot be audited does not stop the audit of the others', async () => {
  const fixture = bench.fixture
  const [broken, sound] = [await bench.openOrder(), await bench.openOrder()]
  // The payments are newer than this test's clock, which stands still: by seconds on a busy machine.
  await bench.razorpay.send('POST', '/clock', { advanceSeconds: 5 })
  await bindOrder(broken)
  await bindOrder(sound)
  await bench.razorpay.pay(sound.orderId)
  const { paymentId } = await bench.razorpay.pay(broken.orderId)
  await bench.razorpay.send('POST', `/payments/${paymentId}/refund`, { amount: 500 })
  await bench.razorpay.fail(`/v1/payments/${paymentId}/refunds`)
  fixture.advance(minutes(30))
  await auditPayments(fixture.ctx(), { since: fixture.now() - hours(1) })
  await bench.razorpay.clearFaults()
  expect(await sound.outcome()).toMatchObject({ status: 'paid', grants: 1 })
  const fields = { job: 'auditPurchases', ids: expect.stringContaining(paymentId) }
  expect(fixture.alerts).toContainEqual({ event: 'job failed', fields })
})

/** Stores the order's id, as if Razorpay's answer had arrived. */
async function bindOrder({ fixture, draft, orderId }: Opened): Promise<void> {
  await fixture.read(sql`
    UPDATE purchases SET razorpay_order_id = ${orderId}, status = 'open' WHERE id = ${draft.id}`)
}
