import { expect } from 'vitest'
import { openUnpaidPurchase, type outcomeOf, paymentFor, providerId, refundOf } from './purchase.ts'
import type { Facts } from '../../../edge-api/domain/ports/payments.ts'
import type { Purchase } from '../../../edge-api/domain/purchase/find-purchase.ts'
import type { World } from './world.ts'

/** What is reported about a purchase, and how it ends in every order. */
interface Scenario {
  /** The facts, in the order in which they usually arrive. */
  tale: (purchase: Purchase) => Partial<Facts>[]
  ends: Partial<Awaited<ReturnType<typeof outcomeOf>>>
  hasLink?: boolean
}

const PAID = { status: 'paid', grants: 1, receipts: 1, left: 1_000_000 } as const
const NOTHING = { grants: 0, receipts: 0, left: 0 } as const

export const SCENARIOS: Record<string, Scenario> = {
  'a paid order, reported by every source': {
    tale: (purchase) => {
      const payment = paymentFor(purchase)
      const orders = [{ razorpayOrderId: payment.razorpayOrderId, purchaseId: purchase.id }]
      return [
        { payments: [{ ...payment, status: 'authorized', method: null }] },
        { payments: [payment] },
        { payments: [payment], orders },
        { payments: [payment, paymentFor(purchase, { status: 'failed' })] },
      ]
    },
    ends: { ...PAID, owed: [], mails: ['mail-receipt'] },
  },
  'failed, then authorized late, then captured': {
    tale: (purchase) => {
      const payment = paymentFor(purchase)
      const failed = { ...payment, status: 'failed' as const, errorReason: 'payment_timed_out' }
      return [
        { payments: [failed] },
        { payments: [{ ...payment, status: 'authorized' }] },
        { payments: [payment] },
        { payments: [failed] },
      ]
    },
    ends: PAID,
  },
  'refunded, perhaps before the capture is reported': {
    tale: (purchase) => {
      const payment = paymentFor(purchase)
      const refunded = { ...payment, amountRefundedMinor: payment.amountMinor }
      const refund = refundOf(payment)
      return [
        { payments: [{ ...payment, status: 'authorized' }] },
        { payments: [payment] },
        { payments: [refunded], refundsAndDisputes: [{ ...refund, state: 'open' }] },
        { payments: [refunded], refundsAndDisputes: [refund] },
      ]
    },
    ends: { status: 'refunded', grants: 1, receipts: 1, left: 0, shortfall: 0 },
  },
  'a second payment that Razorpay returns without capturing it': {
    tale: (purchase) => {
      const second = paymentFor(purchase, { status: 'authorized' })
      const sentBack = { ...second, amountRefundedMinor: second.amountMinor }
      return [
        { payments: [paymentFor(purchase)] },
        { payments: [second] },
        { payments: [sentBack] },
        { payments: [sentBack], refundsAndDisputes: [refundOf(second)] },
      ]
    },
    ends: { ...PAID, owed: [] },
  },
  'both the order and its payment link are paid': {
    hasLink: true,
    tale: (purchase) => {
      const linkOrder = providerId('order')
      const onLink = paymentFor(purchase, { razorpayOrderId: linkOrder })
      const linkOrders = [{ linkId: purchase.razorpayLinkId ?? '', razorpayOrderId: linkOrder }]
      return [
        { payments: [paymentFor(purchase)] },
        { payments: [onLink], linkOrders },
        { payments: [onLink], orders: [{ razorpayOrderId: linkOrder, purchaseId: purchase.id }] },
        { payments: [] },
      ]
    },
    ends: { ...PAID, owed: [{ reason: 'excess', isDone: false }] },
  },
  'another currency': {
    tale: (purchase) => {
      const payment = paymentFor(purchase, { currency: 'INR' })
      return [{ payments: [payment] }, { payments: [{ ...payment, status: 'failed' }] }]
    },
    ends: { ...NOTHING, status: 'review', owed: [{ reason: 'mismatch', isDone: false }] },
  },
  'only failures': {
    tale: (purchase) => {
      const declined = paymentFor(purchase, { status: 'failed' })
      return [
        { payments: [{ ...declined, status: 'created' }] },
        { payments: [declined] },
        { payments: [paymentFor(purchase, { status: 'failed' })] },
      ]
    },
    ends: { ...NOTHING, status: 'attempted', owed: [] },
  },
  'a wrong amount, refunded by hand, then the right one': {
    tale: (purchase) => {
      const wrong = paymentFor(purchase, { amountMinor: 100 })
      return [
        { payments: [wrong] },
        { payments: [{ ...wrong, amountRefundedMinor: 100 }] },
        { refundsAndDisputes: [refundOf(wrong)], payments: [wrong] },
        { payments: [paymentFor(purchase)] },
      ]
    },
    ends: { ...PAID, owed: [{ reason: 'mismatch', isDone: true }] },
  },
  'a refund that fails': {
    tale: (purchase) => {
      const payment = paymentFor(purchase)
      const counted = { ...payment, amountRefundedMinor: 1_000 }
      const refund = refundOf(payment, { amountMinor: 1_000, state: 'open' })
      return [
        { payments: [payment] },
        { payments: [counted], refundsAndDisputes: [refund] },
        { payments: [counted], refundsAndDisputes: [{ ...refund, state: 'undone' }] },
        { payments: [payment], refundsAndDisputes: [{ ...refund, state: 'undone' }] },
      ]
    },
    ends: { ...PAID, shortfall: 0 },
  },
  'a dispute that is won and then lost': {
    tale: (purchase) => {
      const payment = paymentFor(purchase)
      const dispute = refundOf(payment, { kind: 'dispute', amountMinor: 1_000 })
      const report = (state: 'open' | 'undone' | 'final', asOf: number) => ({
        payments: [payment],
        refundsAndDisputes: [{ ...dispute, state, asOf }],
      })
      return [report('undone', 2), report('open', 3), report('final', 4)]
    },
    ends: { ...PAID, left: 600_000 },
  },
  'a dispute that is lost after a refund': {
    tale: (purchase) => {
      const payment = paymentFor(purchase)
      const refunded = { ...payment, amountRefundedMinor: payment.amountMinor }
      const dispute = refundOf(payment, { kind: 'dispute', id: providerId('disp'), beganAt: 2 })
      return [
        { payments: [payment] },
        { payments: [refunded], refundsAndDisputes: [refundOf(payment)] },
        { payments: [refunded], refundsAndDisputes: [{ ...dispute, state: 'open', asOf: 1 }] },
        { payments: [refunded], refundsAndDisputes: [{ ...dispute, state: 'final', asOf: 2 }] },
      ]
    },
    ends: { status: 'refunded', grants: 1, receipts: 1, left: 0, shortfall: 0 },
  },
  'two partial refunds': {
    tale: (purchase) => {
      const payment = paymentFor(purchase)
      const first = refundOf(payment, { amountMinor: 500 })
      const second = refundOf(payment, { amountMinor: 1_000 })
      return [
        { payments: [payment] },
        { payments: [{ ...payment, amountRefundedMinor: 500 }], refundsAndDisputes: [first] },
        { payments: [{ ...payment, amountRefundedMinor: 1_500 }], refundsAndDisputes: [second] },
        {
          payments: [{ ...payment, amountRefundedMinor: 1_500 }],
          refundsAndDisputes: [first, second],
        },
      ]
    },
    ends: { ...PAID, left: 400_000 },
  },
}

function permutations<Entry>(list: readonly Entry[]): Entry[][] {
  if (list.length <= 1) return [[...list]]
  return list.flatMap((head, index) =>
    permutations(list.toSpliced(index, 1)).map((rest) => [head, ...rest]),
  )
}

/** An unpaid purchase, and the orders in which its facts can arrive, from the usual one to its opposite. */
export async function openScenario(world: World, { tale, hasLink = false }: Scenario) {
  const opened = await openUnpaidPurchase(
    hasLink ? { razorpayLinkId: providerId('plink') } : {},
    world,
  )
  return { ...opened, orders: permutations(tale(opened.purchase)) }
}

/** Settles the facts of a scenario in its last so many orders, and then again in the same order. */
export async function settleInOrders(world: World, scenario: Scenario, most: number) {
  const { orders: all } = await openScenario(world, scenario)
  for (const at of all.slice(-most).keys()) {
    const { orders, report, outcome } = await openScenario(world, scenario)
    const order = orders.at(-1 - at) ?? []
    for (const parts of order) await report(parts)
    const first = await outcome()
    expect(first).toMatchObject(scenario.ends)
    expect(first.left).toBe(first.ledgerSum)
    for (const parts of order) await report(parts)
    const again = await outcome()
    expect({ ...again, nextCheckAt: first.nextCheckAt }).toEqual(first)
  }
}
