import { expect, test } from 'vitest'
import { createAccount } from '../../../tests/harness/world/account.ts'
import {
  createPurchase,
  outcomeOf,
  paymentFor,
  takebackOf,
} from '../../../tests/harness/world/purchase.ts'
import { createWorld } from '../../../tests/harness/world/world.ts'
import { factsOf } from './facts.ts'
import { settle } from './settle.ts'

async function openWorld() {
  const world = createWorld()
  const { userId } = await createAccount(world.ctx())
  const purchase = await createPurchase(world.ctx(), userId)
  const tell = (parts: Parameters<typeof factsOf>[0]) => {
    world.advance(1_000)
    return settle(world.ctx(), purchase, factsOf(parts))
  }
  return { world, userId, purchase, tell, outcome: () => outcomeOf(world.ctx(), purchase) }
}

test('captured money gives the tokens once, with one receipt and one mail', async () => {
  const { purchase, tell, outcome } = await openWorld()
  const payment = paymentFor(purchase)
  expect(await tell({ payments: [payment] })).toEqual({ status: 'paid', isNewlyPaid: true })
  expect(await tell({ payments: [payment] })).toEqual({ status: 'paid', isNewlyPaid: false })
  expect(await outcome()).toEqual({
    status: 'paid',
    nextCheckAt: null,
    grants: 1,
    receipts: 1,
    owed: [],
    shortfall: 0,
    total: 1_000_000,
    used: 0,
    left: 1_000_000,
    ledgerSum: 1_000_000,
    mails: ['mail-receipt'],
  })
})

test('a refund takes back its share, a second one the rest, and the purchase is refunded', async () => {
  const { purchase, tell, outcome } = await openWorld()
  const payment = paymentFor(purchase)
  await tell({ payments: [payment] })
  const half = takebackOf(payment, { amountMinor: 1_250 })
  await tell({ payments: [{ ...payment, amountRefundedMinor: 1_250 }], takebacks: [half] })
  expect(await outcome()).toMatchObject({ status: 'paid', left: 500_000 })
  const rest = takebackOf(payment, { amountMinor: 1_250 })
  await tell({ payments: [{ ...payment, amountRefundedMinor: 2_500 }], takebacks: [rest] })
  expect(await outcome()).toMatchObject({ status: 'refunded', left: 0, ledgerSum: 0, receipts: 1 })
})
