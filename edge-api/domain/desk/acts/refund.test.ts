import { useJobBench } from '../../../../tests/harness/world/job-bench.ts'
import { expect, test } from 'vitest'
import type { Act } from '../../../../src/contract/desk-acts.ts'
import { DESK_ACT } from '../../../../src/contract/desk-acts.ts'
import { openSession } from '../../../../tests/harness/world/account.ts'
import { deskOf } from '../../../../tests/harness/world/desk.ts'
import { createPurchase, outcomeOf, refundOf } from '../../../../tests/harness/world/purchase.ts'
import { openPaid, use } from '../../../../tests/harness/world/refund.ts'
import { callOf, withEachBatch } from '../../../../tests/harness/world/world.ts'
import { currentSubscription } from '../../account/subscription.ts'
import { askRefund, refundQuote } from '../../purchase/ask-refund.ts'
import { payOwedRefunds } from '../../purchase/pay-owed-refunds.ts'
import { reconcilePurchases } from '../../purchase/reconcile.ts'
import { days, hours, minutes } from '../../time.ts'
import { showCustomer } from '../customer.ts'
import { atDesk, createOperatorAccount } from '../../../../tests/harness/operator.ts'

const bench = useJobBench()

/** A token pack of 1,000,000 for USD 25.00, paid at the emulator; a fifth of it was used. */
async function openPack() {
  const { world, draft, orderId } = await bench.openOrder()
  const { paymentId } = await bench.razorpay.pay(orderId)
  await reconcilePurchases(world.ctx())
  const claims = await openSession(world.ctx(), draft.userId)
  await use(world, claims, 200_000)
  const { userId, id: purchaseId } = draft
  const refund = (amountMinor: number | null): Act => ({
    kind: 'refund',
    userId,
    purchaseId,
    amountMinor,
  })
  return {
    world,
    claims,
    userId,
    purchaseId,
    paymentId,
    refund,
    desk: deskOf(world),
    outcome: () => outcomeOf(world.ctx(), draft),
    sent: async () =>
      (await bench.gateway.refundsOfPayment(paymentId)).map(({ amountMinor }) => amountMinor),
    askAll: async () => {
      const mine = { ...callOf(await openSession(world.ctx(), userId)), params: { purchaseId } }
      const { amount } = (await refundQuote(world.ctx(), mine)).refund
      await askRefund(world.ctx(), { ...mine, body: { amount } })
      return amount
    },
    /** Runs the job until nothing is due, hours later. */
    runLater: async () => {
      for (const ms of [minutes(11), minutes(30), hours(2)]) {
        world.advance(ms)
        await payOwedRefunds(world.ctx())
      }
    },
  }
}

test('by the formula, an operator refunds what the buyer could, also later: shown, written down, sent once', async () => {
  const { world, refund, desk, outcome, sent, userId, purchaseId, runLater } = await openPack()
  world.advance(days(20))
  const shown = await desk.preview(refund(null))
  expect(shown).toEqual([
    'USD 20.00 (2,000 cents) of Token pack is refunded: USD 25.00 × 800,000 unused tokens ÷ 1,000,000.',
    'The 800,000 unused tokens are removed now.',
    'The customer gets an email now, and another when the money is sent.',
  ])
  expect(await outcome()).toMatchObject({ left: 800_000, owed: [] })
  await desk.carryOut(refund(null), shown)
  expect(await outcome()).toMatchObject({ left: 0, owed: [{ reason: 'asked_for', isDone: false }] })
  await world.drain()
  await runLater()
  expect(await sent()).toEqual([2_000])
  expect(await outcome()).toMatchObject({
    status: 'refunded',
    left: 0,
    shortfall: 0,
    owed: [{ isDone: true }],
    mails: ['mail-receipt', 'mail-refund-asked', 'mail-refund'],
  })
  await expect(desk.carryOut(refund(null), shown)).rejects.toThrow(DESK_ACT.askedBack)
  expect(await desk.entries(userId)).toEqual([
    {
      kind: 'refund',
      reason: 'Ticket 7',
      changes: JSON.stringify(shown),
      subject: purchaseId,
    },
  ])
})

test('a given amount takes its share of the tokens at once, is sent once, and leaves the rest to the buyer', async () => {
  const { world, refund, desk, outcome, sent, askAll, runLater, userId } = await openPack()
  expect(await desk.preview(refund(500))).toEqual([
    'USD 5.00 (500 cents) of Token pack is refunded. The payment has USD 25.00 left now, USD 20.00 afterwards.',
    '200,000 tokens are removed now: the share of this money, as far as it is left.',
    'The customer gets an email when the money is sent.',
  ])
  await desk.carryOut(refund(500))
  expect(await outcome()).toMatchObject({ left: 600_000, owed: [{ reason: 'goodwill' }] })
  await expect(desk.preview(refund(100))).rejects.toThrow(DESK_ACT.isOwed)
  await world.drain()
  await runLater()
  expect(await sent()).toEqual([500])
  expect(await outcome()).toMatchObject({ status: 'paid', left: 600_000, owed: [{ isDone: true }] })

  // 25.00 × 600,000 ÷ 1,000,000
  expect(await askAll()).toBe(1_500)
  await runLater()
  expect((await sent()).toSorted()).toEqual([1_500, 500])
  expect(await outcome()).toMatchObject({ status: 'refunded', left: 0, shortfall: 0 })

  await expect(desk.preview(refund(501))).rejects.toThrow(
    'Only USD 5.00 (500 cents) of this payment is left. Enter no more than that.',
  )
  await desk.carryOut(refund(500))
  await runLater()
  expect((await sent()).toSorted()).toEqual([1_500, 500, 500])
  await expect(desk.preview(refund(100))).rejects.toThrow(DESK_ACT.refunded)
  const call = { ...atDesk(await createOperatorAccount(world.ctx())), params: { userId } }
  const { timeline } = await showCustomer(world.ctx(), call)
  const given = timeline.find(({ text }) => text.includes('(goodwill)'))
  expect(given?.cause).toMatch(/^operator /)
  expect(timeline.filter(({ text }) => /^pay_\w+ captured/.test(text))).toHaveLength(1)
})

test('two pending refunds stay two: one that fails is sent again, and no money counts for both', async () => {
  const { world, refund, desk, outcome, sent, askAll, runLater } = await openPack()
  const match = { method: 'POST', path: '/v1/payments/*/refund' }
  await bench.razorpay.fault({ match, times: 2, action: { type: 'status', code: 503 } })
  await desk.carryOut(refund(500))
  await world.drain()
  expect(await sent()).toEqual([])
  expect(await askAll()).toBe(1_500)
  await world.drain()
  await runLater()
  expect((await sent()).reduce((sum, amount) => sum + amount, 0)).toBe(2_000)
  expect(await outcome()).toMatchObject({
    status: 'refunded',
    left: 0,
    shortfall: 0,
    owed: [{ isDone: true }, { isDone: true }],
  })
})

test('tokens used after the preview, and between the check and the batch, are noticed', async () => {
  const { world, claims, refund, desk, outcome, userId } = await openPack()
  const shown = await desk.preview(refund(null))
  await use(world, claims, 100_000)
  await expect(desk.carryOut(refund(null), shown)).rejects.toThrow(DESK_ACT.changed)

  let spent = 0
  const spend = async (statements: object) => {
    if (!('asked' in statements)) return
    spent += 1
    await use(world, claims, 100_000)
  }
  const ctx = () => ({ ...world.ctx(), db: withEachBatch(world.ctx().db, spend) })
  const spending = deskOf({ ...world, ctx })
  await expect(spending.carryOut(refund(null))).rejects.toThrow(DESK_ACT.changed)
  expect(spent).toBe(1)
  expect(await outcome()).toMatchObject({ left: 600_000, owed: [] })
  expect(await desk.entries(userId)).toEqual([])
})

test('a plan goes on after a given part, and ends when all of its money went back', async () => {
  const paid = await openPaid(undefined, bench.world)
  const { world, payment, purchase } = paid
  const { userId } = paid.claims
  const desk = deskOf(world)
  const statusNow = async () =>
    (await currentSubscription(world.ctx(), callOf(paid.claims))).subscription.status
  const give = (amountMinor: number): Act => ({
    kind: 'refund',
    userId,
    purchaseId: purchase.id,
    amountMinor,
  })
  expect(await desk.preview(give(99_900))).toEqual([
    'INR 999.00 (99,900 paise) of Pro is refunded. The payment has INR 2999.00 left now, INR 2000.00 afterwards.',
    '333,111 tokens are removed now: the share of this money, as far as it is left.',
    'The plan continues.',
    'The customer gets an email when the money is sent.',
  ])
  await desk.carryOut(give(99_900))
  await paid.report({ payments: [{ ...payment, amountRefundedMinor: 99_900 }] })
  expect(await statusNow()).toBe('active')
  expect(await desk.preview(give(200_000))).toContain(
    'The plan ends once the money has been refunded.',
  )
  await desk.carryOut(give(200_000))
  expect(await paid.outcome()).toMatchObject({ left: 0 })
  expect(await statusNow()).toBe('active')
  await paid.report({ payments: [{ ...payment, amountRefundedMinor: 299_900 }] })
  expect(await statusNow()).toBe('past_due')
  expect(await paid.outcome()).toMatchObject({
    left: 0,
    owed: [{ isDone: true }, { isDone: true }],
  })
})

test('an unpaid or disputed purchase, or one of somebody else or of a deleted account, is not refunded', async () => {
  const paid = await openPaid(undefined, bench.world)
  const { world, payment, purchase, claims } = paid
  const { userId } = claims
  const desk = deskOf(world)
  const give = (purchaseId: string, owner = userId): Act => ({
    kind: 'refund',
    userId: owner,
    purchaseId,
    amountMinor: 100,
  })
  const unpaid = await createPurchase(world.ctx(), userId)
  await expect(desk.carryOut(give(unpaid.id))).rejects.toThrow(DESK_ACT.notPaid)
  const other = await openPaid(undefined, world)
  await expect(desk.carryOut(give(other.purchase.id))).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const dispute = refundOf(payment, { kind: 'dispute', state: 'open', amountMinor: 100 })
  await paid.report({ refundsAndDisputes: [dispute] })
  await expect(desk.carryOut(give(purchase.id))).rejects.toThrow(DESK_ACT.disputed)
  await paid.report({ refundsAndDisputes: [{ ...dispute, state: 'undone', asOf: world.now() }] })
  await desk.preview(give(purchase.id))
  await desk.carryOut({ kind: 'delete_account', userId })
  await expect(desk.carryOut(give(purchase.id))).rejects.toThrow(DESK_ACT.deleted)
  expect(await world.read('SELECT count(*) AS owed FROM owed_refunds')).toEqual([{ owed: 0 }])
})
