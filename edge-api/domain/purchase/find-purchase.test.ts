import { expect, test } from 'vitest'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { memoryWorld } from '../../../tests/harness/world/memory-world.ts'
import {
  createPurchase,
  paymentFor,
  providerId,
  refundOf,
} from '../../../tests/harness/world/purchase.ts'
import { type Facts, factsOf } from '../ports/payments.ts'
import {
  newestPurchases,
  purchaseByLink,
  purchaseByOrder,
  purchaseOfUser,
  purchasesOfFacts,
} from './find-purchase.ts'
import { settle } from './settle.ts'

/** Two purchases of one user and one of another, each with an order, a paid link and a payment on it. */
async function openShop() {
  const world = memoryWorld()
  const [buyer, stranger] = [await createAccount(world.ctx()), await createAccount(world.ctx())]
  const sold = []
  for (const { userId } of [buyer, buyer, stranger]) {
    world.advance(1_000)
    const razorpayLinkId = providerId('plink')
    const purchase = await createPurchase(world.ctx(), userId, { razorpayLinkId })
    const linkOrderId = providerId('order')
    const payment = paymentFor(purchase, { razorpayOrderId: linkOrderId })
    const linkOrders = [{ linkId: razorpayLinkId, razorpayOrderId: linkOrderId }]
    await settle(world.ctx(), purchase, factsOf({ linkOrders, payments: [payment] }))
    const orderId = purchase.razorpayOrderId ?? ''
    sold.push({ id: purchase.id, orderId, linkId: razorpayLinkId, linkOrderId, payment })
  }
  const [older, newer, foreign] = sold
  if (!older || !newer || !foreign) throw new Error('nothing was sold')
  return { world, buyer, older, newer, foreign }
}

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

test('of several purchases, an order, a link and a user find their own', async () => {
  const { world, buyer, older, newer } = await openShop()
  const ctx = world.ctx()
  const found = await ctx.db.batch([
    purchaseByOrder(ctx, older.orderId),
    purchaseByLink(ctx, older.linkId, older.id),
    purchaseByLink(ctx, older.linkId, newer.id),
    newestPurchases(ctx, buyer.userId),
  ])
  expect(found.map(idsOf)).toEqual([[older.id], [older.id], [], [newer.id, older.id]])
})

test('a user finds a purchase of theirs by its id, its order and its payment, and no other one', async () => {
  const { world, buyer, older, foreign } = await openShop()
  const find = async (anyId: string) => {
    const ctx = world.ctx()
    const [rows] = await ctx.db.batch([purchaseOfUser(ctx, buyer.userId, anyId)])
    return idsOf(rows)
  }
  for (const id of [older.id, older.orderId, older.payment.paymentId]) {
    expect(await find(id)).toEqual([older.id])
  }
  for (const id of [foreign.id, foreign.orderId, foreign.payment.paymentId, 'pay_of_nobody']) {
    expect(await find(id)).toEqual([])
  }
})

test('facts find their purchases by order, receipt, link, order of a link, payment and refund', async () => {
  const { world, older, newer } = await openShop()
  const find = async (facts: Partial<Facts>) => {
    const ctx = world.ctx()
    const [rows] = await ctx.db.batch([purchasesOfFacts(ctx, factsOf(facts))])
    return idsOf(rows)
  }
  const unknown = { paymentId: providerId('pay') }
  const [order, other] = [providerId('order'), providerId('order')]
  const { payment, id, orderId, linkId, linkOrderId } = older
  for (const facts of [
    { payments: [{ ...payment, ...unknown, razorpayOrderId: orderId }] },
    { payments: [{ ...payment, ...unknown, razorpayOrderId: linkOrderId }] },
    { payments: [{ ...payment, razorpayOrderId: order }] },
    { refundsAndDisputes: [refundOf(payment)] },
    { orders: [{ razorpayOrderId: order, purchaseId: id }] },
    { orders: [{ razorpayOrderId: orderId, purchaseId: 'pur_of_nobody' }] },
    { linkOrders: [{ linkId, razorpayOrderId: order }] },
  ]) {
    expect(await find(facts)).toEqual([id])
  }
  expect(await find({ payments: [{ ...payment, ...unknown, razorpayOrderId: other }] })).toEqual([])
  const both = await find({ payments: [payment, newer.payment] })
  expect(both.toSorted()).toEqual([id, newer.id])
})
