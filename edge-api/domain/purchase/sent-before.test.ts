import { expect, test } from 'vitest'
import { memoryWorld } from '../../../tests/harness/world/memory-world.ts'
import { refundOf } from '../../../tests/harness/world/purchase.ts'
import { openPaid, PLAN_IN_INR } from '../../../tests/harness/world/refund.ts'
import { minutes } from '../time.ts'
import { factsOf, type RefundOrDispute } from '../ports/payments.ts'
import { settle } from './settle.ts'

/** More than half of the price, so that it would pay for the rest if it were taken for it. */
const PART_MINOR = 199_900

/** A plan of which the seller sent a part back, with what else was known a second before its buyer asked for the rest. */
async function openPart(
  part: Partial<RefundOrDispute> = {},
  before: Partial<RefundOrDispute>[] = [],
) {
  const paid = await openPaid(PLAN_IN_INR, memoryWorld())
  const { payment, world, purchase } = paid
  const sent = refundOf(payment, { amountMinor: PART_MINOR, ...part })
  const others = before.map((one) => refundOf(payment, one))
  await paid.report({ refundsAndDisputes: [sent, ...others] })
  world.advance(1_000)
  return {
    ...paid,
    sent,
    others,
    /** Settles these without letting time pass. */
    reportNow: (...refundsAndDisputes: RefundOrDispute[]) =>
      settle(world.ctx(), purchase, factsOf({ refundsAndDisputes })),
    isSent: async () => (await paid.outcome()).owed.map(({ isDone }) => isDone),
  }
}

test('a part that was on its way when the rest was asked for, and arrives, pays nothing of the rest', async () => {
  const { askAll, report, sent, isSent } = await openPart({ state: 'open' })
  await askAll()
  await report({ refundsAndDisputes: [{ ...sent, state: 'final' }] })
  expect(await isSent()).toEqual([false])
})

test('a refund of the rest that was made in the instant it was asked for, and fails, is owed again', async () => {
  const { askAll, payment, world, report, reportNow, isSent } = await openPart()
  const { amount } = await askAll()
  // Razorpay's time is in whole seconds, so it may be a little earlier than ours.
  const beganAt = world.now() - 999
  const own = refundOf(payment, { amountMinor: amount, state: 'open', beganAt })
  await reportNow(own)
  expect(await isSent()).toEqual([true])
  await report({ refundsAndDisputes: [{ ...own, state: 'undone' }] })
  expect(await isSent()).toEqual([false])
})

test('a part that had failed in the instant before the rest was asked for pays nothing of the rest', async () => {
  const opened = await openPart({}, [{ amountMinor: 100_000, state: 'open' }])
  await opened.report({
    refundsAndDisputes: opened.others.map((one) => ({ ...one, state: 'undone' as const })),
  })
  await opened.askAll()
  await opened.report({})
  expect(await opened.isSent()).toEqual([false])
})

test('a part of which only the total of the payment told, and that fails after the rest was sent, does not make the rest go back twice', async () => {
  const paid = await openPaid(PLAN_IN_INR, memoryWorld())
  const { payment, world, report } = paid
  const part = refundOf(payment, { amountMinor: PART_MINOR, beganAt: world.now() })
  world.advance(minutes(2))
  await report({ payments: [{ ...payment, amountRefundedMinor: PART_MINOR }] })
  const { amount } = await paid.askAll()
  const rest = refundOf(payment, { amountMinor: amount, beganAt: world.now() })
  await report({ refundsAndDisputes: [rest] })
  await report({ refundsAndDisputes: [{ ...part, state: 'undone' }] })
  expect((await paid.outcome()).owed.map(({ isDone }) => isDone)).toEqual([true])
})

test("a bank's question that ends after the rest was asked for pays nothing of the rest", async () => {
  const inquiry = { kind: 'dispute', phase: 'retrieval', state: 'inquiry' } as const
  const opened = await openPart({}, [{ ...inquiry, amountMinor: PART_MINOR, asOf: 1 }])
  await opened.askAll()
  await opened.report({
    refundsAndDisputes: opened.others.map((one) => ({ ...one, state: 'undone' as const, asOf: 2 })),
  })
  expect(await opened.isSent()).toEqual([false])
})

test('a refund of another payment that fails after the rest was asked for pays nothing of the rest', async () => {
  const opened = await openPart()
  const other = await openPaid(PLAN_IN_INR, opened.world)
  const refund = refundOf(other.payment, { amountMinor: PART_MINOR, state: 'open' })
  await other.report({ refundsAndDisputes: [refund] })
  opened.world.advance(1_000)
  await opened.askAll()
  await other.report({ refundsAndDisputes: [{ ...refund, state: 'undone' }] })
  await opened.report({})
  expect(await opened.isSent()).toEqual([false])
})
