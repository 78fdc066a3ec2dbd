import { expect, test } from 'vitest'
import { paymentFor, refundOf } from '../../../tests/harness/world/purchase.ts'
import { openPaid, PLAN_IN_INR } from '../../../tests/harness/world/refund.ts'
import {
  GatewayRefused,
  GatewayUnavailable,
  type PaymentFact,
  type PaymentGateway,
  type RefundOrDispute,
} from '../ports/payments.ts'
import { minutes } from '../time.ts'
import { payOwedRefunds } from './pay-owed-refunds.ts'

type Request = Parameters<PaymentGateway['refund']>[0]
type Paid = Awaited<ReturnType<typeof openPaid>>

const NO_ANSWER = new GatewayUnavailable('no answer')

/** A paid plan whose Razorpay makes refunds, or fails with what `failures` holds, one for each request. */
async function openDebts(world?: Paid['world']) {
  const paid = await openPaid(PLAN_IN_INR, world)
  const requests: Request[] = []
  const failures: Error[] = []
  const refund = (request: Request) => {
    requests.push(request)
    const failure = failures.shift()
    if (failure !== undefined) return Promise.reject(failure)
    const { paymentId, amountMinor } = request
    const payment = { ...paid.payment, paymentId }
    return Promise.resolve(refundOf(payment, { amountMinor, beganAt: paid.world.now() }))
  }
  const pay = (gateway: Partial<PaymentGateway> = {}) =>
    payOwedRefunds(paid.world.ctxWith({ refund, ...gateway }))
  return {
    ...paid,
    requests,
    failures,
    pay,
    /** Razorpay lists these refunds of a payment. */
    payAndLook: (refunds: RefundOrDispute[]) =>
      pay({ refundsOfPayment: () => Promise.resolve(refunds) }),
    keys: () => requests.map(({ key }) => key),
    alerts: () => paid.world.alerts.filter(({ event }) => event.startsWith('owed money')),
    heldMails: () =>
      paid.world.read(`
        SELECT count(*) AS mails, count(sent_at) AS sent FROM mails WHERE kind = 'refund_failed'`),
  }
}

/** A second payment of the plan, which is owed back. */
async function payTwice({ purchase, report }: Paid): Promise<PaymentFact> {
  const extra = paymentFor(purchase)
  await report({ payments: [extra] })
  return extra
}

test('each debt is sent once under a key of its own, and what sent it is written down', async () => {
  const debts = await openDebts()
  const { world, payment, purchase, report, requests, keys, pay } = debts
  await debts.giveBack(500)
  debts.world.advance(1_000)
  const { amount } = await debts.askAll()
  const extra = await payTwice(debts)
  const wrong = paymentFor(purchase, { amountMinor: 700 })
  await report({ payments: [wrong] })
  await pay()
  expect(requests.map(({ paymentId, amountMinor, key }) => [paymentId, amountMinor, key])).toEqual([
    [payment.paymentId, 500, `goodwill-${payment.paymentId}-1-500`],
    [payment.paymentId, amount, `asked-${payment.paymentId}-${amount}`],
    [extra.paymentId, extra.amountMinor, `excess-${extra.paymentId}`],
  ])
  expect(world.read('SELECT cause FROM purchase_causes ORDER BY rowid')).toEqual([
    { cause: 'refund that an operator gave' },
    { cause: 'refund that the buyer asked for' },
    { cause: 'refund of owed money' },
  ])
  const stored = world.read(`
    SELECT o.reason, o.amount_minor AS owed, r.amount_minor AS sent
    FROM owed_refunds o LEFT JOIN refunds_and_disputes r ON r.id = o.refund_id ORDER BY o.rowid`)
  expect(stored).toEqual([
    { reason: 'goodwill', owed: 500, sent: 500 },
    { reason: 'asked_for', owed: amount, sent: amount },
    { reason: 'excess', owed: extra.amountMinor, sent: extra.amountMinor },
    { reason: 'mismatch', owed: 700, sent: null },
  ])
  world.advance(minutes(60))
  await pay()
  expect(keys()).toHaveLength(3)
})

test('of what concerns the payment, only its own failed refunds change a key, and only its own open dispute holds it', async () => {
  const debts = await openDebts()
  const other = await openDebts(debts.world)
  const failed = refundOf(other.payment, { amountMinor: 300, state: 'undone' })
  const disputed = refundOf(other.payment, { kind: 'dispute', state: 'open', amountMinor: 300 })
  await other.report({ refundsAndDisputes: [failed, disputed] })
  const won = refundOf(debts.payment, { kind: 'dispute', state: 'undone' })
  const pending = refundOf(debts.payment, { amountMinor: 300, state: 'open' })
  await debts.report({ refundsAndDisputes: [won, pending] })
  const { amount } = await debts.askAll()
  await debts.pay()
  expect(debts.keys()).toEqual([`asked-${debts.payment.paymentId}-${amount}`])
})

test('nothing is sent while the bank disputes the payment, and all once it is won', async () => {
  const debts = await openDebts()
  await debts.askAll()
  const dispute = refundOf(debts.payment, { kind: 'dispute', state: 'open', currency: 'EUR' })
  await debts.report({ refundsAndDisputes: [{ ...dispute, asOf: 1 }] })
  await debts.pay()
  expect(debts.requests).toEqual([])
  await debts.report({ refundsAndDisputes: [{ ...dispute, state: 'undone', asOf: 2 }] })
  await debts.pay()
  expect(debts.requests).toHaveLength(1)
})

test('after a refund failed, the next has a key of its own', async () => {
  const debts = await openDebts()
  const { amount } = await debts.askAll()
  await debts.pay()
  const id = String(debts.world.read('SELECT refund_id AS id FROM owed_refunds')[0]?.['id'])
  const failed = refundOf(debts.payment, { id, amountMinor: amount, state: 'undone' })
  await debts.report({ refundsAndDisputes: [failed] })
  debts.world.advance(minutes(61))
  await debts.payAndLook([failed])
  const key = `asked-${debts.payment.paymentId}-${amount}`
  expect(debts.keys()).toEqual([key, `${key}-1`])
})

test('extra money that gets no answer is asked for again under the same key, later each time, without an alert', async () => {
  const debts = await openDebts()
  const extra = await payTwice(debts)
  debts.failures.push(NO_ANSWER, NO_ANSWER)
  const requested: number[] = []
  for (let minute = 0; minute < 60; minute += 1) {
    await debts.pay()
    requested.push(debts.requests.length)
    debts.world.advance(minutes(1))
  }
  expect([9, 10, 29, 30, 59].map((minute) => requested[minute])).toEqual([1, 2, 2, 3, 3])
  expect(new Set(debts.keys())).toEqual(new Set([`excess-${extra.paymentId}`]))
  expect(debts.alerts()).toEqual([])
})

test('before money that an operator gave is asked for again, Razorpay says what of it went back', async () => {
  const debts = await openDebts()
  await debts.giveBack(500)
  debts.failures.push(NO_ANSWER)
  await debts.pay()
  debts.world.advance(minutes(11))
  await debts.payAndLook([refundOf(debts.payment, { amountMinor: 200 })])
  expect(debts.requests.map(({ amountMinor }) => amountMinor)).toEqual([500, 300])
})

test('the last paisa of what was asked for goes back', async () => {
  const debts = await openDebts()
  const { amount } = await debts.askAll()
  debts.failures.push(NO_ANSWER)
  await debts.pay()
  debts.world.advance(minutes(11))
  await debts.payAndLook([refundOf(debts.payment, { amountMinor: amount - 1 })])
  expect(debts.requests.map(({ amountMinor }) => amountMinor)).toEqual([amount, 1])
})

test('when all of what was asked for turns out to have gone back, nothing more is asked for', async () => {
  const debts = await openDebts()
  const { amount } = await debts.askAll()
  debts.failures.push(NO_ANSWER)
  await debts.pay()
  debts.world.advance(minutes(11))
  await debts.payAndLook([refundOf(debts.payment, { amountMinor: amount })])
  expect(debts.requests).toHaveLength(1)
  expect(await debts.outcome()).toMatchObject({ owed: [{ isDone: true }] })
})

test('a fault of ours is an alert and no mail, and the money goes back later', async () => {
  const debts = await openDebts()
  await debts.askAll()
  debts.failures.push(new TypeError('a fault'))
  await debts.pay()
  expect(debts.alerts()).toMatchObject([{ fields: { error: 'TypeError: a fault' } }])
  expect(debts.heldMails()).toEqual([{ mails: 0, sent: 0 }])
  debts.world.advance(minutes(11))
  await debts.payAndLook([])
  expect(await debts.outcome()).toMatchObject({ owed: [{ isDone: true }] })
})

test('only a refusal of what the buyer asked for is mailed, at once', async () => {
  const debts = await openDebts()
  const refused = new GatewayRefused('low_balance', 'Your account does not have enough balance')
  await debts.giveBack(500)
  debts.world.advance(1_000)
  const { amount } = await debts.askAll()
  debts.failures.push(refused, NO_ANSWER)
  await debts.pay()
  const { paymentId } = debts.payment
  expect(debts.alerts().map(({ fields }) => fields)).toEqual([{ paymentId, reason: 'low_balance' }])
  await debts.world.drain()
  expect(debts.heldMails()).toEqual([{ mails: 0, sent: 0 }])
  debts.world.advance(minutes(11))
  debts.failures.push(refused, refused)
  await debts.payAndLook([])
  expect(debts.keys().at(-1)).toBe(`asked-${paymentId}-${amount}`)
  await debts.world.drain()
  expect(debts.heldMails()).toEqual([{ mails: 1, sent: 1 }])
})
