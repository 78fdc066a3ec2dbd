import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { memoryWorld, type MemoryWorld } from '../../../tests/harness/world/memory-world.ts'
import {
  openUnpaidPurchase,
  paymentFor,
  providerId,
  refundOf,
} from '../../../tests/harness/world/purchase.ts'
import { use } from '../../../tests/harness/world/refund.ts'
import type { Facts, RefundOrDispute } from '../ports/payments.ts'
import type { Purchase } from './find-purchase.ts'

type Opened = Awaited<ReturnType<typeof openUnpaidPurchase>> & { world: MemoryWorld }
type Step = Partial<Facts> | (() => Promise<unknown>)

/** A dispute and a refund of the same part of a payment, begun at the same instant. */
function disputeAndRefund(
  purchase: Purchase,
  ...[disputed, refunded]: [RefundOrDispute['state'], RefundOrDispute['state']]
): Step[] {
  const payment = paymentFor(purchase)
  const part = { amountMinor: 1_000, beganAt: 1 }
  const dispute = { ...part, id: providerId('disp'), kind: 'dispute', state: disputed } as const
  return [
    { payments: [payment] },
    { refundsAndDisputes: [refundOf(payment, dispute)] },
    { refundsAndDisputes: [refundOf(payment, { ...part, state: refunded })] },
  ]
}

/** What may happen to a purchase, as reports that follow one another. */
const STORIES: Record<string, (opened: Opened) => Step[]> = {
  'is paid': ({ purchase }) => [{ payments: [paymentFor(purchase)] }],
  'is not paid': ({ purchase }) => [
    { payments: [paymentFor(purchase, { status: 'created' })] },
    { payments: [paymentFor(purchase, { status: 'failed' })] },
  ],
  'is captured late': ({ purchase }) => {
    const payment = paymentFor(purchase)
    return [{ payments: [{ ...payment, status: 'authorized' }] }, { payments: [payment] }]
  },
  'is authorized and sent back': ({ purchase }) => {
    const payment = paymentFor(purchase, { status: 'authorized' })
    return [
      { payments: [payment] },
      { payments: [{ ...payment, amountRefundedMinor: payment.amountMinor }] },
    ]
  },
  'is refunded in parts': ({ purchase }) => {
    const payment = paymentFor(purchase)
    const refund = (amountMinor: number) => refundOf(payment, { amountMinor })
    return [
      { payments: [payment] },
      { refundsAndDisputes: [refund(1_000)] },
      { refundsAndDisputes: [refund(1_500)] },
    ]
  },
  'has a refund that fails': ({ purchase }) => {
    const payment = paymentFor(purchase)
    const refund = refundOf(payment, { amountMinor: 1_000, state: 'open' })
    return [
      { payments: [payment], refundsAndDisputes: [refund] },
      { payments: [{ ...payment, amountRefundedMinor: 1_000 }] },
      { refundsAndDisputes: [{ ...refund, state: 'undone' }] },
    ]
  },
  'has more refunded than we know one by one': ({ purchase }) => {
    const payment = paymentFor(purchase, { amountRefundedMinor: 1_000 })
    const known = refundOf(payment, { amountMinor: 300 })
    return [{ payments: [payment] }, { refundsAndDisputes: [known] }]
  },
  'is spent and refunded': ({ purchase, claims, world }) => {
    const payment = paymentFor(purchase)
    return [
      { payments: [payment] },
      () => use(world, claims, 900_000),
      { refundsAndDisputes: [refundOf(payment)] },
    ]
  },
  'is disputed, won and lost': ({ purchase }) => {
    const payment = paymentFor(purchase)
    const dispute = refundOf(payment, { id: providerId('disp'), kind: 'dispute', state: 'open' })
    return [
      { payments: [payment] },
      { refundsAndDisputes: [{ ...dispute, amountMinor: 1_200, asOf: 1 }] },
      { refundsAndDisputes: [{ ...dispute, state: 'undone', asOf: 2 }] },
      { refundsAndDisputes: [{ ...dispute, state: 'final', asOf: 3 }] },
      { refundsAndDisputes: [refundOf(payment, { beganAt: 5 })] },
    ]
  },
  "is disputed in another currency and in Razorpay's": ({ purchase }) => {
    const payment = paymentFor(purchase, { baseAmountMinor: 2_499, baseCurrency: 'INR' })
    const dispute = { id: providerId('disp'), kind: 'dispute', state: 'open' } as const
    const other = { ...dispute, id: providerId('disp'), amountMinor: 30_000, currency: 'EUR' }
    return [
      { payments: [payment] },
      { refundsAndDisputes: [refundOf(payment, other)] },
      { refundsAndDisputes: [refundOf(payment, { ...dispute, amountMinor: 1, currency: 'INR' })] },
    ]
  },
  'is refunded while it is disputed': ({ purchase }) => disputeAndRefund(purchase, 'open', 'final'),
  'is refunded at the instant of a dispute that is lost': ({ purchase }) =>
    disputeAndRefund(purchase, 'final', 'final'),
  'is lost in a dispute, of which a refund fails': ({ purchase }) =>
    disputeAndRefund(purchase, 'final', 'undone'),
  'is paid twice': ({ purchase }) => {
    const extra = paymentFor(purchase)
    return [
      { payments: [paymentFor(purchase)] },
      { payments: [extra] },
      { refundsAndDisputes: [refundOf(extra)] },
    ]
  },
  'gets money that does not match': ({ purchase }) => {
    const wrong = paymentFor(purchase, { amountMinor: 100 })
    return [{ payments: [wrong] }, { payments: [{ ...wrong, amountRefundedMinor: 100 }] }]
  },
  'has a payment that contradicts itself': ({ purchase }) => {
    const payment = paymentFor(purchase)
    return [
      { payments: [{ ...payment, status: 'authorized' }] },
      { payments: [{ ...payment, amountMinor: 2_400 }] },
    ]
  },
  'is paid after its account was deleted': ({ purchase, claims, world }) => {
    const { db } = world.ctx()
    const gone = sql`UPDATE users SET deleted_at = 1 WHERE id = ${claims.userId}`
    return [
      () => db.batch([db.run(gone)]),
      { payments: [paymentFor(purchase, { payerEmail: 'payer@example.test' })] },
    ]
  },
}

/** How each story ends: the status, and the tokens that are left. */
const ENDS: Record<string, [string, number]> = {
  'is paid': ['paid', 1_000_000],
  'is not paid': ['open', 0],
  'is captured late': ['paid', 1_000_000],
  'is authorized and sent back': ['attempted', 0],
  'is refunded in parts': ['refunded', 0],
  'has a refund that fails': ['paid', 1_000_000],
  'has more refunded than we know one by one': ['paid', 600_000],
  'is spent and refunded': ['refunded', 0],
  'is disputed, won and lost': ['refunded', 0],
  "is disputed in another currency and in Razorpay's": ['paid', 999_200],
  'is refunded while it is disputed': ['paid', 200_000],
  'is refunded at the instant of a dispute that is lost': ['paid', 600_000],
  'is lost in a dispute, of which a refund fails': ['paid', 600_000],
  'is paid twice': ['paid', 1_000_000],
  'gets money that does not match': ['refunded', 0],
  'has a payment that contradicts itself': ['review', 0],
  'is paid after its account was deleted': ['review', 0],
}

const open = async (world: MemoryWorld): Promise<Opened> => ({
  ...(await openUnpaidPurchase({}, world)),
  world,
})

/** Everything stored about a purchase and its owner, with instants counted from its creation. */
function stateOf({ world, purchase }: Opened) {
  const rows = (query: string) => world.read(query)
  const { id, userId, createdAt } = purchase
  const since = (column: string) => `${column} - ${createdAt} AS ${column}`
  const ofPayments = `payment_id IN (SELECT id FROM payments WHERE purchase_id = '${id}')`
  return {
    purchase: rows(`SELECT status, ${['paid_at', 'next_check_at', 'updated_at'].map(since).join()}
      FROM purchases WHERE id = '${id}'`),
    payments: rows(`SELECT amount_minor, rank, amount_refunded_minor, ${since('conflict_at')},
      ${since('updated_at')} FROM payments WHERE purchase_id = '${id}' ORDER BY rowid`),
    refunds: rows(`SELECT kind, amount_minor, state, ${since('updated_at')}
      FROM refunds_and_disputes WHERE ${ofPayments} ORDER BY rowid`),
    owed: rows(`SELECT reason, amount_minor, ${since('due_at')}, ${since('done_at')}
      FROM owed_refunds WHERE purchase_id = '${id}' ORDER BY rowid`),
    ledger: rows(`SELECT kind, tokens, ${since('created_at')} FROM ledger
      WHERE user_id = '${userId}' ORDER BY rowid`),
    balance: rows(`SELECT total, used FROM balances WHERE user_id = '${userId}'`),
    shortfall: rows(`SELECT tokens FROM shortfalls WHERE purchase_id = '${id}'`),
    receipts: rows(`SELECT line FROM receipts WHERE purchase_id = '${id}'`),
    notes: rows(
      `SELECT amount_minor FROM credit_notes WHERE purchase_id = '${id}' ORDER BY number`,
    ),
    events: rows(
      `SELECT kind, detail FROM account_events WHERE user_id = '${userId}' ORDER BY rowid`,
    ),
    mails: rows(`SELECT kind, user_id IS NULL AS is_for_others FROM mails
      WHERE payload LIKE '%${id}%' OR user_id = '${userId}' ORDER BY rowid`),
  }
}

/** Plays a story, and returns the state after each of its steps and the alerts that it raised. */
async function play(opened: Opened, story: (opened: Opened) => Step[]) {
  const states: ReturnType<typeof stateOf>[] = []
  opened.world.alerts.splice(0)
  for (const step of story(opened)) {
    if (typeof step === 'function') await step()
    else await opened.report(step)
    states.push(stateOf(opened))
  }
  return { states, alerts: opened.world.alerts.splice(0).map(({ event }) => event) }
}

/** One purchase for each story, all in one database. */
async function openCrowd() {
  const world = memoryWorld()
  const crowd: Opened[] = []
  for (const story of Object.values(STORIES)) {
    const one = await open(world)
    await play(one, story)
    crowd.push(one)
  }
  return { world, crowd }
}

test.each(Object.entries(STORIES))(
  'a purchase that %s ends among others as it does alone, and leaves them alone',
  async (what, story) => {
    const single = await open(memoryWorld())
    const alone = await play(single, story)
    const { status, left } = await single.outcome()
    expect([status, left]).toEqual(ENDS[what])
    const { world, crowd } = await openCrowd()
    const before = crowd.map(stateOf)
    expect(await play(await open(world), story)).toEqual(alone)
    expect(crowd.map(stateOf)).toEqual(before)
  },
)
