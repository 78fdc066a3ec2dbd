import { expect, test } from 'vitest'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { memoryWorld } from '../../../tests/harness/world/memory-world.ts'
import {
  createPurchase,
  openUnpaidPurchase,
  paymentFor,
  providerId,
} from '../../../tests/harness/world/purchase.ts'
import type { LogFields } from '../ports/log.ts'
import {
  factsOf,
  GatewayRefused,
  GatewayUnavailable,
  type LinkRecord,
  type OrderRecord,
  type PaymentFact,
} from '../ports/payments.ts'
import { findByReceipt } from './find-by-receipt.ts'
import { recoverPurchases } from './recover-purchases.ts'
import { readSale, saleNotes } from './sale-notes.ts'

/** A Razorpay that knows some orders and links, and what it was asked. */
function openReceipts(world = memoryWorld()) {
  const orders: OrderRecord[] = []
  const links = new Map<string, LinkRecord>()
  const asked: string[] = []
  const warnings: LogFields[] = []
  const ctx = () => {
    const whole = world.ctxWith({
      fetchOrder: (id) => {
        asked.push(id)
        const order = orders.find(({ razorpayOrderId }) => razorpayOrderId === id)
        return order ? Promise.resolve(order) : Promise.reject(new GatewayRefused('unknown', ''))
      },
      linkOfPayment: (id) => {
        asked.push(id)
        return Promise.resolve(links.get(id) ?? null)
      },
    })
    const warn = (_event: string, fields: LogFields = {}) => warnings.push(fields)
    return { ...whole, log: { ...whole.log, warn } }
  }
  return {
    world,
    orders,
    links,
    asked,
    warnings,
    ctx,
    find: (...payments: PaymentFact[]) => findByReceipt(ctx(), factsOf({ payments })),
    purchases: () =>
      world.read(`
        SELECT id, user_id AS userId, channel, razorpay_link_id AS linkId FROM purchases ORDER BY rowid`),
  }
}

/** A sale of a token pack that the database has lost: its order as Razorpay has it, and the payment on it. */
async function lostSale(world: ReturnType<typeof memoryWorld>) {
  const { userId } = await createAccount(world.ctx())
  const id = world.ctx().newId('pur')
  const notes = saleNotes({ id, userId, sku: 'token_pack', tokens: 500, accessDays: 0 })
  const order: OrderRecord = {
    razorpayOrderId: providerId('order'),
    purchaseId: id,
    amountMinor: 2_500,
    currency: 'USD',
    notes,
    createdAt: world.now(),
  }
  const { purchase } = await openUnpaidPurchase({}, memoryWorld())
  const payment = paymentFor(purchase, { razorpayOrderId: order.razorpayOrderId })
  return { id, userId, order, payment }
}

test('of a purchase that is known by its order Razorpay is asked nothing', async () => {
  const { world, asked, find } = openReceipts()
  const { purchase } = await openUnpaidPurchase({}, world)
  const { purchases } = await find(paymentFor(purchase))
  expect(purchases.map(({ id }) => id)).toEqual([purchase.id])
  expect(asked).toEqual([])
})

test('a purchase is found by the receipt of its paid order, and Razorpay is asked for no link', async () => {
  const { world, orders, asked, find } = openReceipts()
  const { order, payment, userId } = await lostSale(world)
  const draft = { razorpayOrderId: null, status: 'creating' } as const
  const { id } = await createPurchase(world.ctx(), userId, draft)
  orders.push({ ...order, purchaseId: id })
  const failed = { ...payment, status: 'failed' as const }
  expect((await find(failed)).purchases).toEqual([])
  expect(asked).toEqual([])
  const { facts, purchases } = await find(payment)
  expect(purchases).toMatchObject([{ id }])
  expect(facts.orders).toEqual([{ razorpayOrderId: order.razorpayOrderId, purchaseId: id }])
  expect(asked).toEqual([order.razorpayOrderId])
})

test('money on an order of another account is nobody’s, and without an answer it may still be ours', async () => {
  const { world, asked, ctx, find, purchases } = openReceipts()
  const { payment } = await lostSale(world)
  expect((await find(payment)).purchases).toEqual([])
  expect(asked).toEqual([payment.razorpayOrderId])
  const fetchOrder = () => Promise.reject(new GatewayUnavailable('no answer'))
  const silent = { ...ctx(), payments: { ...ctx().payments, fetchOrder } }
  const found = findByReceipt(silent, factsOf({ payments: [payment] }))
  await expect(found).rejects.toThrow('no answer')
  expect(purchases()).toEqual([])
})

test('a lost purchase is made again once, beside others, for its own account', async () => {
  const { world, orders, warnings, ctx, find, purchases } = openReceipts()
  const { purchase: other } = await openUnpaidPurchase({}, world)
  const { id, userId, order, payment } = await lostSale(world)
  orders.push(order)
  for (const time of ['made', 'found']) {
    const { purchases: found } = await find(payment)
    expect(found, time).toMatchObject([{ id, userId, channel: 'checkout', tokens: 500 }])
  }
  const again = await recoverPurchases(ctx(), factsOf({ payments: [payment] }), [order])
  expect(again.purchases).toEqual([])
  expect(purchases().map((row) => row['id'])).toEqual([other.id, id])
  expect(warnings).toEqual([{ purchaseId: id }])
})

test('a lost purchase that was paid by a link is made again with its link, and the order behind it is not its own', async () => {
  const { world, links, asked, ctx, purchases } = openReceipts()
  const { id, userId, order, payment } = await lostSale(world)
  const linkId = providerId('plink')
  const { razorpayOrderId, ...sale } = order
  links.set(payment.paymentId, { ...sale, linkId, url: 'https://rzp.io/i/x', expiresAt: 1 })
  const declined = { ...payment, paymentId: providerId('pay'), status: 'failed' as const }
  const orders = [{ razorpayOrderId, purchaseId: id }]
  const found = await recoverPurchases(ctx(), factsOf({ orders, payments: [declined, payment] }), [
    order,
  ])
  expect(asked).toEqual([payment.paymentId])
  expect(purchases()).toEqual([{ id, userId, channel: 'link', linkId }])
  expect(found.purchases).toMatchObject([{ id }])
  expect(found.facts).toMatchObject({ orders: [], linkOrders: [{ linkId, razorpayOrderId }] })
})

test('a sale is read from its own notes alone, and only while the catalogue has the item', async () => {
  const { order, id } = await lostSale(memoryWorld())
  const read = (changes: Partial<OrderRecord>) => readSale({ ...order, ...changes })
  expect(read({})).toMatchObject({ purchase: id, tokens: 500, days: 0, currency: 'USD' })
  expect(read({ purchaseId: 'pur_of_another' })).toBeNull()
  expect(read({ purchaseId: null, notes: {} })).toBeNull()
  expect(read({ notes: { ...order.notes, item: 'no_longer_sold' } })).toBeNull()
})
