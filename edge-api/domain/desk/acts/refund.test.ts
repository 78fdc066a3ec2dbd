import { useJobBench } from '../../../../tests/harness/world/job-bench.ts'
import { expect, test } from 'vitest'
import type { Act } from '../../../../src/contract/desk-acts.ts'
import { DESK_ACT } from '../../../../src/contract/desk-acts.ts'
import { openSession } from '../../../../tests/harness/world/account.ts'
import { deskOf } from '../../../../tests/harness/world/desk.ts'
import { createPurchase, outcomeOf, refundOf } from '../../../../tests/harness/world/purchase.ts'
import { openPaid, use } from '../../../../tests/harness/world/refund.ts'
import { callOf, withEachBatch } from '../../../../tests/harness/world/world.ts'
import { askRefund, refundQuote } from '../../purchase/ask-refund.ts'
import { sendPendingRefunds } from '../../purchase/send-pending-refunds.ts'
import { reconcilePurchases } from '../../purchase/reconcile.ts'
import { days, hours, minutes } from '../../time.ts'

const bench = useJobBench()

/** A token pack of 1,000,000 for USD 25.00, paid at the emulator; a fifth of it was used. */
async function openPack() {
  const { world, draft, orderId } = await bench.openOrder()
  const { paymentId } = await bench.razorpay.pay(orderId)
  await reconcilePurchases(world.ctx())
  const claims = await openSession(world.ctx(), draft.userId)
  await use(world, claims, 200_000)
  const { userId, id: purchaseId } = draft
  const refund: Act = { kind: 'refund', userId, purchaseId }
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
        await sendPendingRefunds(world.ctx())
      }
    },
  }
}

test('by the formula, an operator refunds what the buyer could, also later: shown, written down, sent once', async () => {
  const { world, refund, desk, outcome, sent, userId, purchaseId, runLater } = await openPack()
  world.advance(days(20))
  const shown = await desk.preview(refund)
  expect(shown).toEqual([
    'USD 20.00 (2,000 cents) of Token pack is refunded: USD 25.00 × 800,000 unused tokens ÷ 1,000,000.',
    'The 800,000 unused tokens are removed now.',
    'The customer gets an email now, and another when the money is sent.',
  ])
  expect(await outcome()).toMatchObject({ left: 800_000, owed: [] })
  await desk.carryOut(refund, shown)
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
  await expect(desk.carryOut(refund, shown)).rejects.toThrow(DESK_ACT.askedBack)
  expect(await desk.entries(userId)).toEqual([
    {
      kind: 'refund',
      reason: 'Ticket 7',
      changes: JSON.stringify(shown),
      subject: purchaseId,
    },
  ])
})

test('tokens used after the preview, and between the check and the batch, are noticed', async () => {
  const { world, claims, refund, desk, outcome, userId } = await openPack()
  const shown = await desk.preview(refund)
  await use(world, claims, 100_000)
  await expect(desk.carryOut(refund, shown)).rejects.toThrow(DESK_ACT.changed)

  let spent = 0
  const spend = async (statements: object) => {
    if (!('saved' in statements)) return
    spent += 1
    await use(world, claims, 100_000)
  }
  const ctx = () => ({ ...world.ctx(), db: withEachBatch(world.ctx().db, spend) })
  const spending = deskOf({ ...world, ctx })
  await expect(spending.carryOut(refund)).rejects.toThrow(DESK_ACT.changed)
  expect(spent).toBe(1)
  expect(await outcome()).toMatchObject({ left: 600_000, owed: [] })
  expect(await desk.entries(userId)).toEqual([])
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
