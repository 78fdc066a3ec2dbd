import { expect, test } from 'vitest'
import { emptyWorld } from '../../../tests/harness/world/empty-world.ts'
import { refundOf } from '../../../tests/harness/world/purchase.ts'
import { openPaid, PLAN_IN_INR } from '../../../tests/harness/world/refund.ts'
import { callOf } from '../../../tests/harness/world/world.ts'
import { minutes } from '../time.ts'
import { factsOf, GatewayUnavailable, type RefundOrDispute } from '../ports/payments.ts'
import { askRefund } from './ask-refund.ts'
import { settle } from './settle.ts'

/** More than half of the price, so that it would cover the rest if it were mistaken for the refund of the rest. */
const PART_MINOR = 199_900

/** A plan. The seller sent a part back; this and other facts were known a second before its buyer asked for the rest. */
async function openPart(
  part: Partial<RefundOrDispute> = {},
  before: Partial<RefundOrDispute>[] = [],
) {
  const paid = await openPaid(PLAN_IN_INR, await emptyWorld())
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

test("while Razorpay's sum is ahead of the refunds that are known, a request asks for them first", async () => {
  const paid = await openPaid(PLAN_IN_INR, await emptyWorld())
  const { payment, world, claims, purchase } = paid
  await paid.report({ payments: [{ ...payment, amountRefundedMinor: PART_MINOR }] })
  const call = { ...callOf(claims), params: { purchaseId: purchase.id }, body: { amount: 100_000 } }
  expect(await paid.quote()).toMatchObject({ amount: 100_000 })
  const ask = (refunds: RefundOrDispute[] | null) =>
    askRefund(
      world.ctxWith({
        refundsOfPayment: () =>
          refunds === null ? Promise.reject(new GatewayUnavailable('')) : Promise.resolve(refunds),
      }),
      call,
    )
  const unavailable = { code: 'PAYMENT_PROVIDER_UNAVAILABLE' }
  await expect(ask(null)).rejects.toMatchObject(unavailable)
  // It lists none, and its sum stays ahead.
  await expect(ask([])).rejects.toMatchObject(unavailable)
  expect(world.alerts).toMatchObject([{ event: 'a payment contradicts itself' }])
  const part = refundOf(payment, { amountMinor: PART_MINOR })
  await ask([part])
  const sent = async () => (await paid.outcome()).owed.map(({ isDone }) => isDone)
  expect(await sent()).toEqual([false])
  await paid.report({ refundsAndDisputes: [refundOf(payment, { amountMinor: 100_000 })] })
  expect(await sent()).toEqual([true])
  await paid.report({ refundsAndDisputes: [{ ...part, state: 'undone' }] })
  expect(await sent()).toEqual([true])
})

test.each([
  ['a part that stands', [{}]],
  ['a dispute that was lost', [{ kind: 'dispute', state: 'final', amountMinor: PART_MINOR }]],
] as const)(
  'a refund that failed before the request, of which we learn later, takes nothing off %s',
  async (_, before) => {
    const paid = await openPaid(PLAN_IN_INR, await emptyWorld())
    const { payment, world, report } = paid
    const failed = refundOf(payment, { state: 'undone', beganAt: world.now() })
    await report({
      refundsAndDisputes: before.map((one) =>
        refundOf(payment, { amountMinor: PART_MINOR, ...one }),
      ),
    })
    world.advance(minutes(2))
    await paid.askAll()
    await report({ refundsAndDisputes: [failed] })
    expect((await paid.outcome()).owed).toMatchObject([{ isDone: false }])
  },
)

test('a refund that an older job stores after the request pays it', async () => {
  const paid = await openPaid(PLAN_IN_INR, await emptyWorld())
  const { payment, world, purchase } = paid
  const sent = refundOf(payment, { beganAt: world.now() })
  const began = { ...world.ctx(), now: world.now() + 1 }
  world.advance(minutes(2))
  await paid.askAll()
  await settle(began, purchase, factsOf({ refundsAndDisputes: [sent] }))
  expect((await paid.outcome()).owed).toMatchObject([{ isDone: true }])
})
