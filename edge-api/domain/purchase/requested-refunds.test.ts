import { expect, test } from 'vitest'
import { useJobBench } from '#harness/fixture/job-bench.ts'
import { outcomeOf } from '#harness/fixture/purchase.ts'
import { use } from '#harness/fixture/refund.ts'
import { callOf } from '#harness/fixture/fixture.ts'
import { openSession } from '#harness/fixture/account.ts'
import { days, hours, minutes } from '../time.ts'
import type { Context } from '../context.ts'
import { askRefund } from './request-refund.ts'
import { auditPayments } from './audit-payments.ts'
import { sendPendingRefunds } from './send-pending-refunds.ts'
import { reconcilePurchases } from './reconcile.ts'

const bench = useJobBench()

/** Two thirds of 25.00: the buyer used a third and requested a refund of the rest. */
const REQUESTED_MINOR = 1_667

/** A paid token pack. Its buyer used a third and requested a refund of the rest. Nothing was sent yet. */
async function openRequested() {
  const { fixture, purchase, orderId } = await bench.openOrder()
  const { paymentId } = await bench.razorpay.pay(orderId)
  await reconcilePurchases(fixture.ctx())
  const claims = await openSession(fixture.ctx(), purchase.userId)
  await use(fixture, claims, 333_333)
  const call = { params: { purchaseId: purchase.id }, body: { amount: REQUESTED_MINOR } }
  await askRefund(fixture.ctx(), { ...callOf(claims), ...call })
  return {
    fixture,
    paymentId,
    outcome: () => outcomeOf(fixture.ctx(), purchase),
    refunds: () => bench.gateway.refundsOfPayment(paymentId),
    dispute: (event: string) =>
      bench.razorpay.send('POST', `/payments/${paymentId}/dispute`, { event, amount: 2_500 }),
    /** Replaces the provider's call with this, as if the isolate had died. */
    dieIn: (refund: Context['payments']['refund']) => {
      const ctx = fixture.ctx()
      void sendPendingRefunds({ ...ctx, payments: { ...ctx.payments, refund } })
    },
  }
}

type Requested = Awaited<ReturnType<typeof openRequested>>

const never = () => new Promise<never>(() => undefined)

/** Runs the job until nothing is due, hours later. */
async function runLater({ fixture }: Requested): Promise<void> {
  for (const ms of [minutes(11), minutes(30), hours(2)]) {
    fixture.advance(ms)
    await sendPendingRefunds(fixture.ctx())
  }
}

/** The emulator's clock runs, while this test's clock stands still. */
async function audit({ fixture }: Requested): Promise<void> {
  fixture.advance(minutes(5))
  await auditPayments(fixture.ctx(), { since: fixture.now() - hours(48) })
}

async function expectPaidBack(requested: Requested): Promise<void> {
  expect((await requested.refunds()).map(({ amountMinor }) => amountMinor)).toEqual([
    REQUESTED_MINOR,
  ])
  expect(await requested.outcome()).toMatchObject({
    status: 'refunded',
    left: 0,
    used: 333_333,
    total: 333_333,
    shortfall: 0,
    pending: [{ reason: 'asked_for', isDone: true }],
    mails: ['mail-receipt', 'mail-refund-asked', 'mail-refund'],
  })
}

test('a requested refund is sent once, however many jobs run', async () => {
  const requested = await openRequested()
  // The request itself starts a first run.
  await Promise.all([
    requested.fixture.drain(),
    ...[1, 2, 3].map(() => sendPendingRefunds(requested.fixture.ctx())),
  ])
  await expectPaidBack(requested)
  await runLater(requested)
  await expectPaidBack(requested)
})

const ends: [string, (requested: Requested) => Promise<unknown>][] = [
  ['before the provider is called', async (requested) => requested.dieIn(never)],
  [
    'after the provider made the refund and before that is stored',
    async (requested) => {
      const made = Promise.withResolvers<undefined>()
      requested.dieIn(async (request) => {
        await bench.gateway.refund(request)
        made.resolve(undefined)
        return never()
      })
      await made.promise
    },
  ],
  [
    'with the answer of the provider on its way',
    async ({ fixture }) => {
      const match = { path: '/v1/payments/*/refund' }
      await bench.razorpay.fault({ match, times: 2, action: { type: 'commit_then_reset' } })
      await sendPendingRefunds(fixture.ctx())
    },
  ],
]

test.each(ends)('killed %s, the job sends the money once', async (_when, end) => {
  const requested = await openRequested()
  await end(requested)
  await expect.poll(async () => (await requested.outcome()).pending.length).toBe(1)
  await expect.poll(() => isClaimed(requested)).toBe(true)
  await bench.razorpay.clearFaults()
  await runLater(requested)
  await expectPaidBack(requested)
})

/** Whether a run has begun: then nothing is due at this moment. */
async function isClaimed({ fixture, paymentId }: Requested): Promise<boolean> {
  const [row] = await fixture.read<{ attempts: number }>(
    `SELECT attempts FROM owed_refunds WHERE payment_id = '${paymentId}'`,
  )
  return (row?.attempts ?? 0) > 0
}

test('a refund that fails is mailed and made again, and the tokens stay taken', async () => {
  const requested = await openRequested()
  await bench.razorpay.send('POST', '/settings', { refundsStayPending: true })
  await sendPendingRefunds(requested.fixture.ctx())
  await bench.razorpay.send('POST', '/settings', { refundsStayPending: false })
  const [first] = await requested.refunds()
  await bench.razorpay.send('POST', `/refunds/${first?.id ?? ''}`, { status: 'failed' })
  await audit(requested)
  expect(await requested.outcome()).toMatchObject({
    status: 'paid',
    left: 0,
    pending: [{ isDone: false }],
    mails: ['mail-receipt', 'mail-refund-asked', 'mail-refund-failed', 'mail-refund'],
  })
  requested.fixture.advance(hours(2))
  await sendPendingRefunds(requested.fixture.ctx())
  expect((await requested.refunds()).filter(({ state }) => state !== 'failed')).toHaveLength(1)
  expect(await requested.outcome()).toMatchObject({
    status: 'refunded',
    left: 0,
    pending: [{ isDone: true }],
  })
})

test('while Razorpay rejects, the buyer has one mail, and each try is an alert', async () => {
  const requested = await openRequested()
  const match = { path: '/v1/payments/*/refund' }
  await bench.razorpay.fault({ match, times: null, action: { type: 'status', code: 400 } })
  // As after a long dispute, during which nothing is sent.
  requested.fixture.advance(days(45))
  await sendPendingRefunds(requested.fixture.ctx())
  await runLater(requested)
  const held = requested.fixture.alerts.filter(({ event }) => /could not be sent back/.test(event))
  expect(held.length).toBeGreaterThan(1)
  const { mails } = await requested.outcome()
  expect(mails).toEqual(['mail-receipt', 'mail-refund-asked', 'mail-refund-held'])
  // A month later the purge has deleted the mail, and the job has tried some ninety times.
  requested.fixture.advance(days(31))
  await requested.fixture.read(`DELETE FROM mails WHERE id LIKE 'mail-refund-held:%'`)
  await requested.fixture.read('UPDATE owed_refunds SET attempts = 91')
  await sendPendingRefunds(requested.fixture.ctx())
  expect((await requested.outcome()).mails).toEqual(['mail-receipt', 'mail-refund-asked'])
  await bench.razorpay.clearFaults()
  requested.fixture.advance(days(1))
  await sendPendingRefunds(requested.fixture.ctx())
  expect(await requested.outcome()).toMatchObject({
    status: 'refunded',
    pending: [{ isDone: true }],
  })
})

test('while a bank disputes the payment nothing is sent; a lost dispute covers it, a won one lets it go on', async () => {
  const [lost, won] = [await openRequested(), await openRequested()]
  for (const requested of [lost, won]) await requested.dispute('created')
  await audit(won)
  await runLater(won)
  for (const requested of [lost, won]) expect(await requested.refunds()).toEqual([])
  await lost.dispute('lost')
  await won.dispute('won')
  await audit(won)
  await runLater(won)
  for (const requested of [lost, won]) {
    expect(await requested.outcome()).toMatchObject({ left: 0, pending: [{ isDone: true }] })
  }
  expect(await lost.refunds()).toEqual([])
  expect((await won.refunds()).map(({ amountMinor }) => amountMinor)).toEqual([REQUESTED_MINOR])
})
