import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { useJobBench } from '../../../tests/harness/world/job-bench.ts'
import { outcomeOf } from '../../../tests/harness/world/purchase.ts'
import { days, hours, minutes } from '../time.ts'
import { auditPayments, type Found } from './audit-payments.ts'
import { saleNotes } from './sale-notes.ts'

// Razorpay knows a lost purchase, and the database never had it.
const bench = useJobBench()

const BILLING = JSON.stringify({ place: '29', name: '', address: '', gstin: '' })

/** An account with a lost purchase of a plan that has changed since. */
async function lostPurchase({ account }: { account?: string } = {}) {
  const world = bench.world
  const { userId } = await createAccount(world.ctx(), { billing: BILLING })
  const id = world.ctx().newId('pur')
  const sold = { id, userId: account ?? userId, sku: 'pro', tokens: 700, accessDays: 30 }
  const sale = {
    purchaseId: id,
    amountMinor: 1_900,
    currency: 'USD' as const,
    notes: saleNotes(sold),
  }
  const audit = async () => {
    world.advance(minutes(2))
    const report = await auditPayments(world.ctx(), { since: world.now() - days(1) })
    const idsOf = (found: Found[]) => found.map(({ id }) => id)
    return {
      found: idsOf(report.found),
      foreign: idsOf(report.foreign),
      failed: report.failed,
    }
  }
  return { world, sale, audit, outcome: () => outcomeOf(world.ctx(), { id, userId }) }
}

test('a lost purchase is recreated from its order, as it was sold, and granted once', async () => {
  const { world, sale, audit, outcome } = await lostPurchase()
  const orderId = await bench.gateway.createOrder(sale)
  const orderedAt = world.now() - (world.now() % 1_000)
  const { paymentId } = await bench.razorpay.pay(orderId)
  expect((await audit()).found).toContain(paymentId)
  expect(await outcome()).toMatchObject({ status: 'paid', grants: 1, receipts: 1, total: 700 })
  const { brand } = world.ctx()
  const rows = await world.read(sql`
    SELECT p.access_days, p.channel, p.billing, p.created_at, p.razorpay_order_id, r.line
    FROM purchases p JOIN receipts r ON r.purchase_id = p.id WHERE p.id = ${sale.purchaseId}`)
  expect(rows).toEqual([
    {
      access_days: 30,
      channel: 'checkout',
      billing: BILLING,
      created_at: orderedAt,
      razorpay_order_id: orderId,
      line: `${brand.productName} Pro, 30 days, 700 tokens`,
    },
  ])
  expect((await audit()).found).not.toContain(paymentId)
  expect(await outcome()).toMatchObject({ grants: 1, total: 700 })
})

test('a lost purchase is recreated from its link; money on its order besides is owed back', async () => {
  const { sale, audit, outcome } = await lostPurchase()
  const { linkId, url } = await bench.gateway.createLink({
    ...sale,
    description: 'Pro',
    callbackUrl: 'http://localhost:8787/api/payment/link-callback',
    expiresAt: bench.world.now() + hours(24),
  })
  const page = await (await bench.fetch(url)).text()
  const [linkOrder = ''] = /order_EMU\w{11}/.exec(page) ?? []
  const { paymentId } = await bench.razorpay.pay(linkOrder)
  expect(await bench.gateway.linkOfPayment(paymentId)).toMatchObject({ linkId, notes: sale.notes })
  expect((await audit()).found).toContain(paymentId)
  expect(await outcome()).toMatchObject({ status: 'paid', grants: 1, total: 700, owed: [] })
  const twice = await bench.razorpay.pay(await bench.gateway.createOrder(sale))
  expect((await audit()).found).toContain(twice.paymentId)
  expect(await outcome()).toMatchObject({ grants: 1, total: 700, owed: [{ reason: 'excess' }] })
})

test('money of an account that is not here, or with the notes of a buyer, makes no purchase', async () => {
  const { sale, audit, outcome } = await lostPurchase({ account: 'usr_of_another_site' })
  const mine = await lostPurchase()
  const { notes, ...bare } = mine.sale
  const orders = [await bench.gateway.createOrder(sale), await bench.gateway.createOrder(bare)]
  const paid: string[] = []
  for (const order of orders) paid.push((await bench.razorpay.pay(order, { notes })).paymentId)
  expect((await audit()).foreign).toEqual(expect.arrayContaining(paid))
  expect((await outcome()).status).toBeUndefined()
  expect((await mine.outcome()).status).toBeUndefined()
})
