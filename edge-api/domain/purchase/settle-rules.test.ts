import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { emptyWorld } from '../../../tests/harness/world/empty-world.ts'
import {
  createPurchase,
  openUnpaidPurchase,
  paymentFor,
  providerId,
  refundOf,
  settledPack,
} from '../../../tests/harness/world/purchase.ts'
import { callOf } from '../../../tests/harness/world/world.ts'
import { factsOf, type PaymentFact } from '../ports/payments.ts'
import { hours } from '../time.ts'
import { useTokens } from '../tokens/use-tokens.ts'
import { settle } from './settle.ts'

type Overrides = Parameters<typeof openUnpaidPurchase>[0]

/** An unpaid purchase in a database of its own. */
async function open(overrides: Overrides = {}) {
  const opened = await openUnpaidPurchase(overrides, await emptyWorld())
  return { ...opened, payment: paymentFor(opened.purchase) }
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
  expect(await owed(excess)).toEqual([
    { reason: 'excess', dueAt: excess.world.now(), doneAt: null },
  ])
  const mismatch = await openExtra({ amountMinor: 100 })
  expect(await owed(mismatch)).toEqual([{ reason: 'mismatch', dueAt: null, doneAt: null }])
})

test('a debt is done when all of it went back, and not before', async () => {
  const opened = await openExtra()
  const { extra, report } = opened
  const most = refundOf(extra, { amountMinor: extra.amountMinor - 1 })
  await report({ refundsAndDisputes: [most] })
  expect(await owed(opened)).toMatchObject([{ doneAt: null }])
  await report({ refundsAndDisputes: [refundOf(extra, { amountMinor: 1 })] })
  const doneAt = opened.world.now()
  expect(await owed(opened)).toMatchObject([{ doneAt, dueAt: null }])
  await report({})
  expect(await owed(opened)).toMatchObject([{ doneAt }])
})

test('after its refund failed, extra money is due again an hour later, a mismatch never', async () => {
  for (const [amountMinor, isDue] of [
    [2_500, true],
    [100, false],
  ] as const) {
    const opened = await openExtra({ amountMinor })
    const refund = refundOf(opened.extra, { state: 'open', beganAt: opened.world.now() })
    await opened.report({ refundsAndDisputes: [refund] })
    await opened.report({ refundsAndDisputes: [{ ...refund, state: 'undone' }] })
    const dueAt = isDue ? opened.world.now() + hours(1) : null
    expect(await owed(opened)).toMatchObject([{ doneAt: null, dueAt }])
    expect((await opened.outcome()).mails.includes('mail-refund-failed')).toBe(isDue)
  }
})

test('money is owed back from its capture on, with one alert, not from when it was authorized', async () => {
  const opened = await openExtra({ status: 'authorized' })
  const captured = { payments: [{ ...opened.extra, status: 'captured' as const }] }
  await opened.report(captured)
  const createdAt = opened.world.now()
  await opened.report(captured)
  expect(await opened.read('SELECT created_at AS createdAt FROM owed_refunds')).toEqual([
    { createdAt },
  ])
  expect(opened.world.alerts).toMatchObject([{ event: 'captured money is owed back' }])
})

test('each refund that fails makes extra money due again later than the one before', async () => {
  const opened = await openExtra()
  await opened.read('UPDATE owed_refunds SET attempts = 3')
  const refund = refundOf(opened.extra, { state: 'open' })
  await opened.report({ refundsAndDisputes: [refund] })
  await opened.report({ refundsAndDisputes: [{ ...refund, state: 'undone' }] })
  expect(await owed(opened)).toMatchObject([{ dueAt: opened.world.now() + hours(9) }])
})

test('a link is cancelled once its purchase is paid, and not when a card is declined', async () => {
  const linked = await open({ razorpayLinkId: providerId('plink') })
  const cancelled: string[] = []
  const cancelLink = (id: string) => Promise.resolve(void cancelled.push(id))
  for (const status of ['failed', 'captured'] as const) {
    const payments = { ...linked.world.ctx().payments, cancelLink }
    const facts = factsOf({ payments: [{ ...linked.payment, status }] })
    await settle({ ...linked.world.ctx(), payments }, linked.purchase, facts)
    await linked.world.drain()
    expect(cancelled).toHaveLength(status === 'captured' ? 1 : 0)
  }
})

test('a second refund takes no tokens that were bought since the first', async () => {
  const { world, claims, payment, report, outcome } = await open()
  await report({ payments: [payment] })
  await useTokens(world.ctx(), { ...callOf(claims), body: { amount: 900_000 } })
  const half = () => refundOf(payment, { amountMinor: 1_250 })
  await report({ refundsAndDisputes: [half()] })
  expect(await outcome()).toMatchObject({ left: 0, shortfall: 400_000 })
  await settledPack(world.ctx(), claims.userId)
  await report({ refundsAndDisputes: [half()] })
  expect(await outcome()).toMatchObject({ left: 1_000_000, shortfall: 900_000 })
  await report({})
  expect(await outcome()).toMatchObject({ left: 1_000_000, shortfall: 900_000 })
})

test('a refund of the dashboard that fails later raises one alert, because nothing sends it again', async () => {
  const { payment, world, purchase, report } = await open()
  const refund = refundOf(payment, { amountMinor: 1_000 })
  await report({ payments: [payment], refundsAndDisputes: [refund] })
  for (let time = 0; time < 2; time += 1)
    await report({ refundsAndDisputes: [{ ...refund, state: 'undone' }] })
  const { paymentId } = payment
  const fields = { purchaseId: purchase.id, paymentId, refundId: refund.id, amount: 'USD 10.00' }
  expect(world.alerts).toEqual([
    { event: 'a refund came back', fields: { ...fields, creditNote: 'issued' } },
  ])
})

test('a refund that had failed when it was first reported takes nothing and notifies nobody', async () => {
  const { payment, report, outcome, read } = await open()
  await report({ payments: [payment] })
  await report({ refundsAndDisputes: [refundOf(payment, { state: 'undone' })] })
  expect(await outcome()).toMatchObject({ left: 1_000_000, mails: ['mail-receipt'] })
  expect(await read("SELECT kind FROM account_events WHERE kind = 'refunded'")).toEqual([])
})

test('a refund of extra money that we learn of with the money itself is told of, and its failure too', async () => {
  const { purchase, payment, world, report, outcome } = await open()
  await report({ payments: [payment] })
  const extra = paymentFor(purchase)
  const refund = refundOf(extra, { beganAt: world.now() })
  const { amountMinor } = extra
  const payments = [{ ...extra, amountRefundedMinor: amountMinor }]
  await report({ payments, refundsAndDisputes: [refund] })
  await report({ refundsAndDisputes: [{ ...refund, state: 'undone' }] })
  expect(await outcome()).toMatchObject({
    owed: [{ reason: 'excess', isDone: false }],
    mails: ['mail-receipt', 'mail-refund-failed', 'mail-refund'],
  })
})

test('an authorized payment that Razorpay sent back is not waited for', async () => {
  const { payment, report, outcome } = await open()
  await report({ payments: [{ ...payment, status: 'authorized' }] })
  expect(await outcome()).toMatchObject({ status: 'authorized' })
  const amountRefundedMinor = payment.amountMinor
  await report({ payments: [{ ...payment, status: 'authorized', amountRefundedMinor }] })
  expect(await outcome()).toMatchObject({ status: 'attempted' })
})

const contradictions: [string, Partial<PaymentFact>][] = [
  ['amount', { amountMinor: 2_400 }],
  ['currency', { currency: 'INR' }],
  ['order', { razorpayOrderId: providerId('order') }],
]

test.each(contradictions)(
  'a payment that comes with another %s grants nothing, and one alert tells',
  async (_what, change) => {
    const { payment, purchase, world, report, read, outcome } = await open()
    await report({ payments: [{ ...payment, status: 'authorized' }] })
    for (let time = 0; time < 2; time += 1) await report({ payments: [{ ...payment, ...change }] })
    await report({ payments: [payment] })
    expect(await outcome()).toMatchObject({ grants: 0, left: 0, status: 'review' })
    expect(await read('SELECT count(conflict_at) AS count FROM payments')).toEqual([{ count: 1 }])
    const told = world.alerts.filter(({ event }) => event === 'a payment contradicts itself')
    const { paymentId } = payment
    expect(told).toMatchObject([{ fields: { purchaseId: purchase.id, paymentId } }])
  },
)

test('the alert about a payment that comes with the order of another purchase names its own purchase', async () => {
  const { payment, world, purchase, report } = await open()
  await report({ payments: [{ ...payment, status: 'authorized' }] })
  const other = await createPurchase(world.ctx(), purchase.userId)
  const { razorpayOrderId } = paymentFor(other)
  const facts = factsOf({ payments: [{ ...payment, razorpayOrderId }] })
  await settle(world.ctx(), other, facts)
  await settle(world.ctx(), purchase, facts)
  const fields = { purchaseId: purchase.id, paymentId: payment.paymentId }
  expect(world.alerts).toEqual([{ event: 'a payment contradicts itself', fields }])
})

test('a payment on an order whose receipt names another purchase grants nothing and raises one alert', async () => {
  const { payment, world, report, outcome } = await open()
  const orders = [{ razorpayOrderId: payment.razorpayOrderId, purchaseId: 'pur_of_somebody_else' }]
  for (let time = 0; time < 2; time += 1) await report({ payments: [payment], orders })
  expect(await outcome()).toMatchObject({ grants: 0, left: 0, status: 'review' })
  const told = world.alerts.filter(({ event }) => event === 'a payment contradicts itself')
  expect(told).toHaveLength(1)
})

test('a refund belongs to the payment and the kind it was first reported with', async () => {
  const opened = await openExtra()
  const { payment, extra, report, read } = opened
  const refund = refundOf(payment, { amountMinor: 500, state: 'open' })
  await report({ refundsAndDisputes: [refund] })
  const stored = () =>
    read('SELECT payment_id, kind, amount_minor, state FROM refunds_and_disputes')
  const first = await stored()
  const later = { ...refund, amountMinor: 900, state: 'final' as const }
  await report({ refundsAndDisputes: [{ ...later, paymentId: extra.paymentId }] })
  await report({ refundsAndDisputes: [{ ...later, kind: 'dispute' }] })
  expect(await stored()).toEqual(first)
  await report({ refundsAndDisputes: [later] })
  expect(await stored()).toMatchObject([{ amount_minor: 900, state: 'final' }])
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
    await world.read(`SELECT razorpay_order_id AS id FROM purchases WHERE id = '${other.id}'`),
  ).toEqual([{ id: null }])
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

test('a receipt is made out to the names that there are, or to the user name', async () => {
  const world = await emptyWorld()
  const names: [string | null, string | null][] = [
    ['Ada', 'Lovelace'],
    [null, 'Lovelace'],
    ['Ada', ''],
    [' ', null],
  ]
  for (const [firstName, lastName] of names) {
    const account = { username: 'ada', firstName, lastName }
    const { userId } = await createAccount(world.ctx(), account)
    await settledPack(world.ctx(), userId)
  }
  const receipts = await world.read<{ name: string }>(
    'SELECT buyer_name AS name FROM receipts ORDER BY number',
  )
  expect(receipts.map(({ name }) => name)).toEqual(['Ada Lovelace', 'Lovelace', 'Ada', 'ada'])
})

test('the mail of a report is sent after its answer, and earlier due mail is left to the job', async () => {
  const { world, claims, purchase, payment, report, read } = await open()
  const stranger = await createAccount(world.ctx())
  const enqueue = (id: string, userId: string) =>
    read(sql`
      INSERT INTO mails (id, user_id, kind, to_address, payload, created_at, due_at)
      VALUES (${id}, ${userId}, 'receipt', 'x@example.test', '{}', ${world.now()}, ${world.now()})`)
  const tried = async () => {
    await world.drain()
    return (await read('SELECT id FROM mails WHERE attempts > 0 ORDER BY rowid')).map(
      ({ id }) => id,
    )
  }
  await enqueue('earlier', claims.userId)
  world.advance(1_000)
  await enqueue("a stranger's", stranger.userId)
  await settle(world.ctx(), purchase, factsOf({}))
  expect(await tried()).toEqual([])
  await report({ payments: [payment] })
  expect(await tried()).toEqual(['earlier', "a stranger's", `mail-receipt:${purchase.id}`])
})
