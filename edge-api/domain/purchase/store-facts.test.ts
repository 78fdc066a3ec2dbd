import { expect, test } from 'vitest'
import { emptyFixture } from '../../../tests/harness/fixture/empty-fixture.ts'
import {
  createPurchase,
  openUnpaidPurchase,
  paymentFor,
  providerId,
} from '../../../tests/harness/fixture/purchase.ts'
import type { Fixture } from '../../../tests/harness/fixture/fixture.ts'
import { factsOf } from '../ports/payments.ts'
import { settle } from './settle.ts'

type Overrides = Parameters<typeof openUnpaidPurchase>[0]

const open = async (overrides: Overrides = {}) =>
  openUnpaidPurchase(overrides, await emptyFixture())

const WITHOUT_ORDER = { razorpayOrderId: null, status: 'creating' } as const
const withLink = () => ({ ...WITHOUT_ORDER, razorpayLinkId: providerId('plink') })

/** Two purchases without an order, each with a link. */
async function openTwo() {
  const opened = await open(withLink())
  const { fixture, claims } = opened
  const other = await createPurchase(fixture.ctx(), claims.userId, withLink())
  return { ...opened, other }
}

const ordersIn = ({ read }: Fixture) =>
  read(`SELECT razorpay_order_id AS "order", razorpay_link_order_id AS link
    FROM purchases ORDER BY rowid`)

const NONE = { order: null, link: null }

test('an order is bound when its own purchase is settled, once, and to that one alone', async () => {
  const { fixture, other, report } = await openTwo()
  const razorpayOrderId = providerId('order')
  const orders = [{ razorpayOrderId, purchaseId: other.id }]
  await report({ orders })
  expect(await ordersIn(fixture)).toEqual([NONE, NONE])
  await settle(fixture.ctx(), other, factsOf({ orders }))
  // A second order of ours can only be that of the link.
  const later = { razorpayOrderId: providerId('order'), purchaseId: other.id }
  await settle(fixture.ctx(), other, factsOf({ orders: [later] }))
  const bound = { order: razorpayOrderId, link: later.razorpayOrderId }
  expect(await ordersIn(fixture)).toEqual([NONE, bound])
})

test('a payment is stored when its own purchase is settled', async () => {
  const { fixture, claims, report, read } = await open()
  const other = await createPurchase(fixture.ctx(), claims.userId)
  const facts = { payments: [paymentFor(other)] }
  await report(facts)
  expect(await read('SELECT id FROM payments')).toEqual([])
  await settle(fixture.ctx(), other, factsOf(facts))
  expect(await read('SELECT purchase_id AS id FROM payments')).toEqual([{ id: other.id }])
})
