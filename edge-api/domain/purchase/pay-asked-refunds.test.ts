import { expect, test } from 'vitest'
import { useJobBench } from '../../../tests/harness/world/job-bench.ts'
import { outcomeOf } from '../../../tests/harness/world/purchase.ts'
import { use } from '../../../tests/harness/world/refund.ts'
import { callOf } from '../../../tests/harness/world/world.ts'
import { openSession } from '../../../tests/harness/world/account.ts'
import { days, hours, minutes } from '../time.ts'
import type { Context } from '../context.ts'
import { askRefund } from './ask-refund.ts'
import { auditPayments } from './audit-payments.ts'
import { sendPendingRefunds } from './send-pending-refunds.ts'
import { reconcilePurchases } from './reconcile.ts'

const bench = useJobBench()

/** Two thirds of 25.00: the buyer used a third and asked for the rest. */
const OWED_MINOR = 1_667

/** A paid token pack. Its buyer used a third and asked for the rest back. Nothing was sent yet. */
async function openAsked() {
  const { world, draft, orderId } = await bench.openOrder()
  const { paymentId } = await bench.razorpay.pay(orderId)
  await reconcilePurchases(world.ctx())
  const claims = await openSession(world.ctx(), draft.userId)
  await use(world, claims, 333_333)
  const call = { params: { purchaseId: draft.id }, body: { amount: OWED_MINOR } }
  await askRefund(world.ctx(), { ...callOf(claims), ...call })
  return {
    world,
    paymentId,
    outcome: () => outcomeOf(world.ctx(), draft),
    refunds: () => bench.gateway.refundsOfPayment(paymentId),
    refundBy: (amount: number) =>
      bench.razorpay.send('POST', `/payments/${paymentId}/refund`, { amount }),
    dispute: (event: string) =>
      bench.razorpay.send('POST', `/payments/${paymentId}/dispute`, { event, amount: 2_500 }),
    /** Replaces the provider's call with this, as if the isolate had died. */
    dieIn: (refund: Context['payments']['refund']) => {
      const ctx = world.ctx()
      void sendPendingRefunds({ ...ctx, payments: { ...ctx.payments, refund } })
    },
  }
}

type Asked = Awaited<ReturnType<typeof openAsked>>

const never = () => new Promise<never>(() => undefined)

/** Runs the job until nothing is due, hours later. */
async function runLater({ world }: Asked): Promise<void> {
  for (const ms of [minutes(11), minutes(30), hours(2)]) {
    world.advance(ms)
    await sendPendingRefunds(world.ctx())
  }
}

/** The emulator's clock runs, while this test's clock stands still. */
async function audit({ world }: Asked): Promise<void> {
  world.advance(minutes(5))
  await auditPayments(world.ctx(), { since: world.now() - hours(48) })
}

async function expectPaidBack(asked: Asked): Promise<void> {
  expect((await asked.refunds()).map(({ amountMinor }) => amountMinor)).toEqual([OWED_MINOR])
  expect(await asked.outcome()).toMatchObject({
    status: 'refunded',
    left: 0,
    used: 333_333,
    total: 333_333,
    shortfall: 0,
    owed: [{ reason: 'asked_for', isDone: true }],
    mails: ['mail-receipt', 'mail-refund-asked', 'mail-refund'],
  })
}

test('a refund that was asked for is sent once, however many jobs run', async () => {
  const asked = await openAsked()
  // The request itself starts a first run.
  await Promise.all([
    asked.world.drain(),
    ...[1, 2, 3].map(() => sendPendingRefunds(asked.world.ctx())),
  ])
  await expectPaidBack(asked)
  await runLater(asked)
  await expectPaidBack(asked)
})

const ends: [string, (asked: Asked) => Promise<unknown>][] = [
  ['before the provider is called', async (asked) => asked.dieIn(never)],
  [
    'after the provider made the refund and before that is stored',
    async (asked) => {
      const made = Promise.withResolvers<undefined>()
      asked.dieIn(async (request) => {
        await bench.gateway.refund(request)
        made.resolve(undefined)
        return never()
      })
      await made.promise
    },
  ],
  [
    'with the answer of the provider on its way',
    async ({ world }) => {
      const match = { path: '/v1/payments/*/refund' }
      await bench.razorpay.fault({ match, times: 2, action: { type: 'commit_then_reset' } })
      await sendPendingRefunds(world.ctx())
    },
  ],
]

test.each(ends)('killed %s, the job sends the money once', async (_when, end) => {
  const asked = await openAsked()
  await end(asked)
  await expect.poll(async () => (await asked.outcome()).owed.length).toBe(1)
  await expect.poll(() => isClaimed(asked)).toBe(true)
  await bench.razorpay.clearFaults()
  await runLater(asked)
  await expectPaidBack(asked)
})

/** Whether a run has begun: then nothing is due at this moment. */
async function isClaimed({ world, paymentId }: Asked): Promise<boolean> {
  const [row] = await world.read<{ attempts: number }>(
    `SELECT attempts FROM owed_refunds WHERE payment_id = '${paymentId}'`,
  )
  return (row?.attempts ?? 0) > 0
}

test('a killed run and a part sent by hand: the rest goes back, to the last cent', async () => {
  const asked = await openAsked()
  asked.dieIn(never)
  await expect.poll(() => isClaimed(asked)).toBe(true)
  await asked.refundBy(600)
  await runLater(asked)
  const sent = (await asked.refunds()).map(({ amountMinor }) => amountMinor)
  expect(sent.toSorted((one, other) => one - other)).toEqual([600, OWED_MINOR - 600])
  expect(await asked.outcome()).toMatchObject({ left: 0, shortfall: 0, owed: [{ isDone: true }] })
})

test('a refund that fails is mailed and made again, and the tokens stay taken', async () => {
  const asked = await openAsked()
  await bench.razorpay.send('POST', '/settings', { refundsStayPending: true })
  await sendPendingRefunds(asked.world.ctx())
  await bench.razorpay.send('POST', '/settings', { refundsStayPending: false })
  const [first] = await asked.refunds()
  await bench.razorpay.send('POST', `/refunds/${first?.id ?? ''}`, { status: 'failed' })
  await audit(asked)
  expect(await asked.outcome()).toMatchObject({
    status: 'paid',
    left: 0,
    owed: [{ isDone: false }],
    mails: ['mail-receipt', 'mail-refund-asked', 'mail-refund-failed', 'mail-refund'],
  })
  asked.world.advance(hours(2))
  await sendPendingRefunds(asked.world.ctx())
  expect((await asked.refunds()).filter(({ state }) => state !== 'undone')).toHaveLength(1)
  expect(await asked.outcome()).toMatchObject({
    status: 'refunded',
    left: 0,
    owed: [{ isDone: true }],
  })
})

test('while Razorpay refuses, the buyer has one mail, and each try is an alert', async () => {
  const asked = await openAsked()
  const match = { path: '/v1/payments/*/refund' }
  await bench.razorpay.fault({ match, times: null, action: { type: 'status', code: 400 } })
  // As after a long dispute, during which nothing is sent.
  asked.world.advance(days(45))
  await sendPendingRefunds(asked.world.ctx())
  await runLater(asked)
  const held = asked.world.alerts.filter(({ event }) => /could not be sent back/.test(event))
  expect(held.length).toBeGreaterThan(1)
  const { mails } = await asked.outcome()
  expect(mails).toEqual(['mail-receipt', 'mail-refund-asked', 'mail-refund-held'])
  // A month later the purge has deleted the mail, and the job has tried some ninety times.
  asked.world.advance(days(31))
  await asked.world.read(`DELETE FROM mails WHERE id LIKE 'mail-refund-held:%'`)
  await asked.world.read('UPDATE owed_refunds SET attempts = 91')
  await sendPendingRefunds(asked.world.ctx())
  expect((await asked.outcome()).mails).toEqual(['mail-receipt', 'mail-refund-asked'])
  await bench.razorpay.clearFaults()
  asked.world.advance(days(1))
  await sendPendingRefunds(asked.world.ctx())
  expect(await asked.outcome()).toMatchObject({ status: 'refunded', owed: [{ isDone: true }] })
})

test('while a bank disputes the payment nothing is sent; a lost dispute pays it, a won one lets it go on', async () => {
  const [lost, won] = [await openAsked(), await openAsked()]
  for (const asked of [lost, won]) await asked.dispute('created')
  await audit(won)
  await runLater(won)
  for (const asked of [lost, won]) expect(await asked.refunds()).toEqual([])
  await lost.dispute('lost')
  await won.dispute('won')
  await audit(won)
  await runLater(won)
  for (const asked of [lost, won]) {
    expect(await asked.outcome()).toMatchObject({ left: 0, owed: [{ isDone: true }] })
  }
  expect(await lost.refunds()).toEqual([])
  expect((await won.refunds()).map(({ amountMinor }) => amountMinor)).toEqual([OWED_MINOR])
})
