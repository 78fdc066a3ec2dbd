import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { emptyWorld } from '../../../tests/harness/world/empty-world.ts'
import {
  createPurchase,
  openUnpaidPurchase,
  paymentFor,
  refundOf,
} from '../../../tests/harness/world/purchase.ts'
import type { World } from '../../../tests/harness/world/world.ts'
import { factsOf } from '../ports/payments.ts'
import { settle } from './settle.ts'

async function useTokens(world: World, userId: string, tokens: number) {
  const { db, now, newId } = world.ctx()
  await db.batch([
    db.run(sql`
      INSERT INTO ledger (ref, user_id, kind, tokens, payment_mode, created_at)
      VALUES (${newId('use')}, ${userId}, 'use', ${-tokens}, 'emulator', ${now})`),
  ])
}

test('a partial refund takes back its share, rounded down, and a full one takes the rest', async () => {
  const { purchase, report, outcome } = await openUnpaidPurchase()
  const payment = paymentFor(purchase)
  await report({ payments: [payment] })
  const third = refundOf(payment, { amountMinor: 833 })
  await report({
    payments: [{ ...payment, amountRefundedMinor: 833 }],
    refundsAndDisputes: [third],
  })
  expect(await outcome()).toMatchObject({ status: 'paid', left: 1_000_000 - 333_200 })
  const rest = refundOf(payment, { amountMinor: 1_667 })
  await report({
    payments: [{ ...payment, amountRefundedMinor: 2_500 }],
    refundsAndDisputes: [rest],
  })
  expect(await outcome()).toMatchObject({
    status: 'refunded',
    left: 0,
    mails: ['mail-receipt', 'mail-refund', 'mail-refund'],
  })
})

test('refunding more than was paid takes back no more than was granted', async () => {
  const { world, claims, purchase, report, outcome } = await openUnpaidPurchase()
  const payment = paymentFor(purchase)
  await report({ payments: [payment] })
  const other = await createPurchase(world.ctx(), claims.userId)
  await settle(world.ctx(), other, factsOf({ payments: [paymentFor(other)] }))
  await report({ payments: [{ ...payment, amountRefundedMinor: 9_999 }] })
  expect(await outcome()).toMatchObject({ left: 1_000_000, shortfall: 0 })
})

test('tokens already used become a shortfall, and the balance stops at zero', async () => {
  const { world, claims, purchase, report, outcome } = await openUnpaidPurchase()
  const payment = paymentFor(purchase)
  await report({ payments: [payment] })
  // One is left.
  await useTokens(world, claims.userId, 999_999)
  const refunded = { ...payment, amountRefundedMinor: payment.amountMinor }
  await report({ payments: [refunded], refundsAndDisputes: [refundOf(payment)] })
  expect(await outcome()).toMatchObject({ left: 0, shortfall: 999_999, ledgerSum: 0 })
})

test('a shortfall is final: tokens bought later stay, however often the refund is reported', async () => {
  const { world, claims, purchase, report, outcome } = await openUnpaidPurchase()
  const payment = paymentFor(purchase)
  await report({ payments: [payment] })
  await useTokens(world, claims.userId, 1_000_000)
  const refund = {
    payments: [{ ...payment, amountRefundedMinor: payment.amountMinor }],
    refundsAndDisputes: [refundOf(payment)],
  }
  await report(refund)
  const later = await createPurchase(world.ctx(), claims.userId)
  await settle(world.ctx(), later, factsOf({ payments: [paymentFor(later)] }))
  await report(refund)
  expect(await outcome()).toMatchObject({ left: 1_000_000, shortfall: 1_000_000 })
})

test('a refund takes the tokens of its own purchase: what was bought besides stays', async () => {
  const { world, claims, purchase, report, outcome } = await openUnpaidPurchase()
  const payment = paymentFor(purchase)
  await report({ payments: [payment] })
  await useTokens(world, claims.userId, 999_858)
  world.advance(1_000)
  const pack = await createPurchase(world.ctx(), claims.userId)
  await settle(world.ctx(), pack, factsOf({ payments: [paymentFor(pack)] }))
  await report({
    payments: [{ ...payment, amountRefundedMinor: payment.amountMinor }],
    refundsAndDisputes: [refundOf(payment)],
  })
  expect(await outcome()).toMatchObject({ left: 1_000_000, shortfall: 999_858 })
})

test('what is used while a dispute is open stays used of the pack that it came from, and the next refund takes what came back', async () => {
  const world = await emptyWorld()
  const { claims, purchase, report, outcome } = await openUnpaidPurchase({}, world)
  const payment = paymentFor(purchase)
  await report({ payments: [payment] })
  const pack = await createPurchase(world.ctx(), claims.userId)
  await settle(world.ctx(), pack, factsOf({ payments: [paymentFor(pack)] }))
  const dispute = refundOf(payment, { kind: 'dispute', state: 'open' })
  await report({ refundsAndDisputes: [dispute] })
  await useTokens(world, claims.userId, 600_000)
  await report({ refundsAndDisputes: [{ ...dispute, state: 'undone' }] })
  await report({ refundsAndDisputes: [refundOf(payment)] })
  expect(await outcome()).toMatchObject({ left: 400_000, shortfall: 0 })
})

test('winning a dispute restores the tokens and clears the shortfall', async () => {
  const { world, claims, purchase, report, outcome } = await openUnpaidPurchase()
  const payment = paymentFor(purchase)
  await report({ payments: [payment] })
  await useTokens(world, claims.userId, 300_000)
  const dispute = refundOf(payment, { kind: 'dispute', state: 'open' })
  await report({ payments: [payment], refundsAndDisputes: [dispute] })
  expect(await outcome()).toMatchObject({ status: 'paid', left: 0, shortfall: 300_000 })
  await report({ payments: [payment], refundsAndDisputes: [{ ...dispute, state: 'undone' }] })
  expect(await outcome()).toMatchObject({ status: 'paid', left: 700_000, shortfall: 0 })
})

test('of two refunds, the one that fails gives back only its own tokens', async () => {
  const { world, claims, purchase, report, outcome } = await openUnpaidPurchase()
  const payment = paymentFor(purchase)
  await report({ payments: [payment] })
  await useTokens(world, claims.userId, 600_000)
  const first = refundOf(payment, { amountMinor: 1_250 })
  const second = refundOf(payment, { amountMinor: 1_250, state: 'open' })
  await report({ payments: [payment], refundsAndDisputes: [first, second] })
  expect(await outcome()).toMatchObject({ status: 'refunded', left: 0, shortfall: 600_000 })
  await report({ payments: [payment], refundsAndDisputes: [{ ...second, state: 'undone' }] })
  expect(await outcome()).toMatchObject({ status: 'paid', left: 0, shortfall: 100_000 })
})

test('extra money that was refunded is no longer owed, and is owed again when the refund fails', async () => {
  const { purchase, report, outcome } = await openUnpaidPurchase()
  const extra = paymentFor(purchase)
  await report({ payments: [paymentFor(purchase)] })
  await report({ payments: [extra] })
  const refund = refundOf(extra, { state: 'open' })
  await report({ refundsAndDisputes: [refund] })
  expect((await outcome()).owed).toEqual([{ reason: 'excess', isDone: true }])
  await report({ refundsAndDisputes: [{ ...refund, state: 'undone' }] })
  expect(await outcome()).toMatchObject({
    owed: [{ reason: 'excess', isDone: false }],
    left: 1_000_000,
  })
})
