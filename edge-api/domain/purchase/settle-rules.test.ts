import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { memoryWorld } from '../../../tests/harness/world/memory-world.ts'
import {
  createPurchase,
  openUnpaidPurchase,
  paymentFor,
  providerId,
  refundOf,
} from '../../../tests/harness/world/purchase.ts'
import { callOf } from '../../../tests/harness/world/world.ts'
import { users } from '../../db/schema/users.ts'
import { factsOf, type PaymentFact } from '../ports/payments.ts'
import { hours } from '../time.ts'
import { useTokens } from '../tokens/use-tokens.ts'
import { EXPIRES_AFTER_MS } from './check-schedule.ts'
import { settle } from './settle.ts'

type Overrides = Parameters<typeof openUnpaidPurchase>[0]

/** An unpaid purchase in a database of its own. */
async function open(overrides: Overrides = {}) {
  const world = memoryWorld()
  const opened = await openUnpaidPurchase(overrides, world)
  const payment = paymentFor(opened.purchase)
  return { ...opened, world, payment, read: world.read }
}

type Opened = Awaited<ReturnType<typeof open>>

/** An extra payment next to the one that was granted. */
async function openExtra(overrides: Partial<PaymentFact> = {}) {
  const opened = await open()
  const extra = paymentFor(opened.purchase, overrides)
  await opened.report({ payments: [opened.payment] })
  await opened.report({ payments: [extra] })
  return { ...opened, extra }
}

const owed = ({ read }: Opened) =>
  read('SELECT reason, due_at AS dueAt, done_at AS doneAt FROM owed_refunds')

test('extra money is due back at once, money that does not match by hand only', async () => {
  const excess = await openExtra()
  expect(owed(excess)).toEqual([{ reason: 'excess', dueAt: excess.world.now(), doneAt: null }])
  const mismatch = await openExtra({ amountMinor: 100 })
  expect(owed(mismatch)).toEqual([{ reason: 'mismatch', dueAt: null, doneAt: null }])
})

test('a payment that is only authorized is not owed back', async () => {
  expect(owed(await openExtra({ status: 'authorized' }))).toEqual([])
})

test('a debt is done when all of it went back, and not before', async () => {
  const opened = await openExtra()
  const { extra, report } = opened
  const most = refundOf(extra, { amountMinor: extra.amountMinor - 1 })
  await report({ refundsAndDisputes: [most] })
  expect(owed(opened)).toMatchObject([{ doneAt: null }])
  await report({ refundsAndDisputes: [refundOf(extra, { amountMinor: 1 })] })
  const doneAt = opened.world.now()
  expect(owed(opened)).toMatchObject([{ doneAt, dueAt: null }])
  await report({})
  expect(owed(opened)).toMatchObject([{ doneAt }])
})

test('after its refund failed, extra money is due again an hour later, a mismatch never', async () => {
  for (const [amountMinor, isDue] of [
    [2_500, true],
    [100, false],
  ] as const) {
    const opened = await openExtra({ amountMinor })
    const refund = refundOf(opened.extra, { state: 'open' })
    await opened.report({ refundsAndDisputes: [refund] })
    await opened.report({ refundsAndDisputes: [{ ...refund, state: 'undone' }] })
    const dueAt = isDue ? opened.world.now() + hours(1) : null
    expect(owed(opened)).toMatchObject([{ doneAt: null, dueAt }])
  }
})

test('tokens that go back are rounded down', async () => {
  const { payment, report, outcome } = await open({ amountMinor: 219_900, currency: 'INR' })
  await report({ payments: [payment] })
  await report({ refundsAndDisputes: [refundOf(payment, { amountMinor: 100 })] })
  expect(await outcome()).toMatchObject({ left: 1_000_000 - 454 })
})

test('a second refund takes its own share, and the shortfall of the first stays what it was', async () => {
  const { world, claims, payment, report, outcome } = await open()
  await report({ payments: [payment] })
  await useTokens(world.ctx(), { ...callOf(claims), body: { amount: 900_000 } })
  const half = () => refundOf(payment, { amountMinor: 1_250 })
  await report({ refundsAndDisputes: [half()] })
  expect(await outcome()).toMatchObject({ left: 0, shortfall: 400_000 })
  const later = await createPurchase(world.ctx(), claims.userId)
  await settle(world.ctx(), later, factsOf({ payments: [paymentFor(later)] }))
  await report({ refundsAndDisputes: [half()] })
  expect(await outcome()).toMatchObject({ left: 500_000, shortfall: 400_000 })
  await report({})
  expect(await outcome()).toMatchObject({ left: 500_000, shortfall: 400_000 })
})

test('a report that says nothing new is not the newest news of a payment', async () => {
  const { payment, report, read } = await open()
  const authorized = { ...payment, status: 'authorized' as const }
  await report({ payments: [authorized] })
  const heard = () => read('SELECT updated_at AS at FROM payments')[0]?.['at']
  const first = heard()
  await report({ payments: [authorized] })
  await report({ payments: [{ ...payment, status: 'failed' }] })
  expect(heard()).toBe(first)
  await report({ payments: [payment] })
  expect(heard()).not.toBe(first)
})

const contradictions: [string, Partial<PaymentFact>][] = [
  ['amount', { amountMinor: 2_400 }],
  ['currency', { currency: 'INR' }],
  ['order', { razorpayOrderId: providerId('order') }],
]

test.each(contradictions)(
  'a payment that comes with another %s grants nothing, and one alert tells',
  async (_what, change) => {
    const { payment, world, report, read, outcome } = await open()
    await report({ payments: [{ ...payment, status: 'authorized' }] })
    for (let time = 0; time < 2; time += 1) await report({ payments: [{ ...payment, ...change }] })
    await report({ payments: [payment] })
    expect(await outcome()).toMatchObject({ grants: 0, left: 0, status: 'review' })
    expect(read('SELECT count(conflict_at) AS count FROM payments')).toEqual([{ count: 1 }])
    const told = world.alerts.filter(({ event }) => event === 'a payment contradicts itself')
    expect(told).toHaveLength(1)
  },
)

test('a refund belongs to the payment and the kind it was first reported with', async () => {
  const opened = await openExtra()
  const { payment, extra, report, read } = opened
  const refund = refundOf(payment, { amountMinor: 500, state: 'open' })
  await report({ refundsAndDisputes: [refund] })
  const stored = () =>
    read('SELECT payment_id, kind, amount_minor, state FROM refunds_and_disputes')
  const first = stored()
  const later = { ...refund, amountMinor: 900, state: 'final' as const }
  await report({ refundsAndDisputes: [{ ...later, paymentId: extra.paymentId }] })
  await report({ refundsAndDisputes: [{ ...later, kind: 'dispute' }] })
  expect(stored()).toEqual(first)
  await report({ refundsAndDisputes: [later] })
  expect(stored()).toMatchObject([{ amount_minor: 900, state: 'final' }])
})

test('the order of one purchase is not bound to another', async () => {
  const { world, claims, purchase, outcome } = await open()
  const other = await createPurchase(world.ctx(), claims.userId, {
    razorpayOrderId: null,
    status: 'creating',
  })
  const razorpayOrderId = purchase.razorpayOrderId ?? ''
  const orders = [{ razorpayOrderId, purchaseId: other.id }]
  await settle(world.ctx(), other, factsOf({ orders, payments: [paymentFor(purchase)] }))
  expect(await outcome()).toMatchObject({ grants: 0 })
  expect(
    world.read(`SELECT razorpay_order_id AS id FROM purchases WHERE id = '${other.id}'`),
  ).toEqual([{ id: null }])
})

test('a purchase is refunded when refunds and lost disputes together make up its price', async () => {
  const { payment, report, outcome } = await open()
  await report({ payments: [payment] })
  const refund = refundOf(payment, { amountMinor: 1_000 })
  const dispute = refundOf(payment, {
    id: providerId('disp'),
    kind: 'dispute',
    amountMinor: 1_500,
    state: 'open',
  })
  await report({ refundsAndDisputes: [refund, dispute] })
  expect(await outcome()).toMatchObject({ status: 'paid', left: 0 })
  await report({ refundsAndDisputes: [{ ...dispute, state: 'final' }] })
  expect(await outcome()).toMatchObject({ status: 'refunded', left: 0 })
})

test('wrong money is in review until all of it went back', async () => {
  const { purchase, report, outcome } = await open()
  const wrong = paymentFor(purchase, { amountMinor: 100 })
  await report({ payments: [wrong] })
  await report({ payments: [{ ...wrong, amountRefundedMinor: 99 }] })
  expect(await outcome()).toMatchObject({ status: 'review' })
  await report({ payments: [{ ...wrong, amountRefundedMinor: 100 }] })
  expect(await outcome()).toMatchObject({ status: 'refunded' })
})

test('an authorized payment that was sent back leaves an attempt', async () => {
  const { payment, report, outcome } = await open()
  const authorized = { ...payment, status: 'authorized' as const }
  await report({ payments: [authorized] })
  expect(await outcome()).toMatchObject({ status: 'authorized' })
  await report({ payments: [{ ...authorized, amountRefundedMinor: payment.amountMinor }] })
  expect(await outcome()).toMatchObject({ status: 'attempted' })
})

test('a purchase expires at its hour, not a millisecond before', async () => {
  const { world, purchase, outcome } = await open()
  const check = () => settle(world.ctx(), purchase, factsOf({}))
  world.advance(EXPIRES_AFTER_MS - 1)
  await check()
  expect(await outcome()).toMatchObject({ status: 'open' })
  world.advance(1)
  await check()
  expect(await outcome()).toMatchObject({ status: 'expired' })
})

test('a purchase is open from its order or its link on, and being created before', async () => {
  const none = await open({ razorpayOrderId: null, status: 'creating' })
  await none.report({})
  expect(await none.outcome()).toMatchObject({ status: 'creating' })
  const link = await open({
    razorpayOrderId: null,
    status: 'creating',
    razorpayLinkId: providerId('plink'),
  })
  await link.report({})
  expect(await link.outcome()).toMatchObject({ status: 'open' })
})

test('a purchase is paid at the instant of its grant, whatever is settled later', async () => {
  const { payment, report, read } = await open()
  await report({ payments: [payment] })
  await report({ refundsAndDisputes: [refundOf(payment, { amountMinor: 1 })] })
  const [row] = read(
    'SELECT paid_at, granted_at FROM purchases p JOIN grants g ON g.purchase_id = p.id',
  )
  expect(row?.['paid_at']).toBe(row?.['granted_at'])
})

const names: [string, { firstName: string | null; lastName: string | null }, string | null][] = [
  ['both names', { firstName: 'Ada', lastName: 'Lovelace' }, 'Ada Lovelace'],
  ['the last name alone', { firstName: null, lastName: 'Lovelace' }, 'Lovelace'],
  ['the first name alone', { firstName: 'Ada', lastName: '' }, 'Ada'],
  ['the user name when there is no other', { firstName: ' ', lastName: null }, null],
]

test.each(names)('a receipt is made out to %s', async (_what, name, expected) => {
  const { world, claims, payment, report, read } = await open()
  const { db } = world.ctx()
  await db.batch([db.update(users).set(name).where(eq(users.id, claims.userId))])
  await report({ payments: [payment] })
  const [row] = read('SELECT buyer_name AS name, username FROM receipts, users')
  expect(row?.['name']).toBe(expected ?? row?.['username'])
})

test('the mail of a report is sent after its answer, and what was due before is left to the job', async () => {
  const { world, claims, purchase, payment, report, read } = await open()
  const stranger = await createAccount(world.ctx())
  const enqueue = (id: string, userId: string) => {
    const { db, now } = world.ctx()
    return db.batch([
      db.run(sql`
        INSERT INTO mails (id, user_id, kind, to_address, payload, created_at, due_at)
        VALUES (${id}, ${userId}, 'receipt', 'x@example.test', '{}', ${now}, ${now})`),
    ])
  }
  const tried = async () => {
    await world.drain()
    return read('SELECT id FROM mails WHERE attempts > 0 ORDER BY rowid').map(({ id }) => id)
  }
  await enqueue('earlier', claims.userId)
  world.advance(1_000)
  await enqueue("a stranger's", stranger.userId)
  await settle(world.ctx(), purchase, factsOf({}))
  expect(await tried()).toEqual([])
  await report({ payments: [payment] })
  expect(await tried()).toEqual(['earlier', "a stranger's", `mail-receipt:${purchase.id}`])
})

test('alerts tell of what is new of their own purchase, once', async () => {
  const { world, purchase, payment, report } = await open()
  const other = await openUnpaidPurchase({}, world)
  const told = () => world.alerts.splice(0).map(({ event, fields }) => [event, fields['paymentId']])
  const dispute = (of: PaymentFact) =>
    refundOf(of, { id: providerId('disp'), kind: 'dispute', state: 'open', amountMinor: 10 })
  const [paid, extra] = [paymentFor(other.purchase), paymentFor(other.purchase)]
  await other.report({ payments: [paid] })
  await other.report({
    payments: [{ ...paid, amountMinor: 1 }, extra],
    refundsAndDisputes: [dispute(paid), refundOf(paid, { amountMinor: 5 })],
  })
  expect(told()).toEqual([
    ['captured money is owed back', extra.paymentId],
    ['a payment contradicts itself', paid.paymentId],
    ['a payment is disputed', paid.paymentId],
  ])
  // In the same instant.
  const facts = { payments: [payment], refundsAndDisputes: [dispute(payment)] }
  await settle(world.ctx(), purchase, factsOf(facts))
  expect(told()).toEqual([['a payment is disputed', payment.paymentId]])
  await report({ refundsAndDisputes: [dispute(payment)] })
  expect(told()).toEqual([['a payment is disputed', payment.paymentId]])
})

test("a purchase's entries are numbered, take the tokens of its own mode, and leave no shortfall when all are there", async () => {
  const { world, claims, purchase, payment, report, read } = await open({
    paymentMode: 'test',
  })
  const { userId } = claims
  const other = await openUnpaidPurchase({}, world)
  const paid = paymentFor(other.purchase)
  await other.report({ payments: [paid], refundsAndDisputes: [refundOf(paid, { amountMinor: 5 })] })
  await report({ payments: [payment] })
  const { db, now } = world.ctx()
  await db.batch([
    db.run(sql`
      INSERT INTO desk_acts (id, operator_id, kind, user_id, reason, changes, created_at)
      VALUES ('act_1', 'usr_1', 'adjust_tokens', ${userId}, 'a test', '{}', ${now})`),
    db.run(sql`
      INSERT INTO ledger (ref, user_id, kind, tokens, payment_mode, created_at)
      VALUES ('adjustment:act_1', ${userId}, 'adjustment', 7, 'emulator', ${now})`),
  ])
  const dispute = refundOf(payment, { kind: 'dispute', amountMinor: 2_000, state: 'open' })
  await report({ refundsAndDisputes: [dispute] })
  await report({ refundsAndDisputes: [{ ...dispute, state: 'undone' }] })
  await report({ refundsAndDisputes: [refundOf(payment, { amountMinor: 1_000 })] })
  const { id } = purchase
  expect(read(`SELECT ref, tokens FROM ledger WHERE purchase_id = '${id}' ORDER BY rowid`)).toEqual(
    [
      { ref: `grant:${id}`, tokens: 1_000_000 },
      { ref: `reversal:${id}:0`, tokens: -800_000 },
      { ref: `restoration:${id}:1`, tokens: 800_000 },
      { ref: `reversal:${id}:2`, tokens: -400_000 },
    ],
  )
  expect(read('SELECT * FROM shortfalls')).toEqual([])
})
