import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { paymentFor, refundOf } from '#harness/fixture/purchase.ts'
import { openPaid, PLAN_IN_INR } from '#harness/fixture/refund.ts'
import {
  GatewayUnavailable,
  type PaymentFact,
  type PaymentGateway,
  type RefundFact,
} from '../ports/payments.ts'
import { minutes } from '../time.ts'
import { sendPendingRefunds } from './send-pending-refunds.ts'

type Request = Parameters<PaymentGateway['refund']>[0]
type Paid = Awaited<ReturnType<typeof openPaid>>

const NO_ANSWER = new GatewayUnavailable('no answer')

/** A paid plan whose Razorpay makes refunds, or fails with what `failures` holds, one for each request. */
async function openSender(fixture?: Paid['fixture']) {
  const paid = await openPaid(PLAN_IN_INR, fixture)
  const requests: Request[] = []
  const failures: Error[] = []
  const refund = (request: Request) => {
    requests.push(request)
    const failure = failures.shift()
    if (failure !== undefined) return Promise.reject(failure)
    const { paymentId, amountMinor, key } = request
    const payment = { ...paid.payment, paymentId }
    return Promise.resolve(
      refundOf(payment, { amountMinor, reason: key, beganAt: paid.fixture.now() }),
    )
  }
  const pay = (gateway: Partial<PaymentGateway> = {}) =>
    sendPendingRefunds(
      paid.fixture.ctxWith({ refund, refundsOfPayment: () => Promise.resolve([]), ...gateway }),
    )
  return {
    ...paid,
    requests,
    failures,
    pay,
    /** Razorpay lists these refunds of a payment. */
    payListed: (refunds: RefundFact[]) => pay({ refundsOfPayment: () => Promise.resolve(refunds) }),
    keys: () => requests.map(({ key }) => key),
    /** The id of the last refund that was sent. */
    sentId: async () =>
      String((await paid.fixture.read('SELECT refund_id AS id FROM owed_refunds'))[0]?.['id']),
    alerts: () => paid.fixture.alerts.filter(({ event }) => event.startsWith('owed money')),
  }
}

/** A second payment of the plan, which is to be refunded. */
async function payTwice({ purchase, report }: Paid): Promise<PaymentFact> {
  const extra = paymentFor(purchase)
  await report({ payments: [extra] })
  return extra
}

test('each pending refund is sent once under a key of its own, and what sent it is written down', async () => {
  const sender = await openSender()
  const { fixture, payment, purchase, report, requests, keys, pay } = sender
  const { amount } = await sender.requestAll()
  const extra = await payTwice(sender)
  const wrong = paymentFor(purchase, { amountMinor: 700 })
  await report({ payments: [wrong] })
  await pay()
  expect(requests.map(({ paymentId, amountMinor, key }) => [paymentId, amountMinor, key])).toEqual([
    [payment.paymentId, amount, `refund-${payment.paymentId}-1`],
    [extra.paymentId, extra.amountMinor, `refund-${extra.paymentId}-0`],
  ])
  expect(await fixture.read('SELECT cause FROM purchase_causes ORDER BY rowid')).toEqual([
    { cause: 'asked for refund' },
    { cause: 'excess refund' },
  ])
  const stored = await fixture.read(`
    SELECT o.reason, o.amount_minor AS pending, r.amount_minor AS sent
    FROM owed_refunds o LEFT JOIN refunds_and_disputes r ON r.id = o.refund_id ORDER BY o.rowid`)
  expect(stored).toEqual([
    { reason: 'asked_for', pending: amount, sent: amount },
    { reason: 'excess', pending: extra.amountMinor, sent: extra.amountMinor },
    { reason: 'mismatch', pending: 700, sent: null },
  ])
  fixture.advance(minutes(60))
  await pay()
  expect(keys()).toHaveLength(2)
})

test('a refund that Razorpay lists as sent is not sent again, whatever a report said, and an alert is raised', async () => {
  const sender = await openSender()
  const { amount } = await sender.requestAll()
  await sender.pay()
  const id = await sender.sentId()
  const sent = refundOf(sender.payment, { id, amountMinor: amount })
  await sender.report({ refunds: [{ ...sent, state: 'failed' }] })
  sender.fixture.advance(minutes(61))
  await sender.payListed([sent])
  expect(sender.keys()).toHaveLength(1)
  expect(sender.fixture.alerts).toMatchObject([
    { event: 'a refund came back' },
    { event: 'a payment contradicts itself', fields: { refundId: id } },
  ])
})

test('what was sent for a pending refund is not sent again, whatever is known of the money, and an alert is raised', async () => {
  const sender = await openSender()
  const { amount } = await sender.requestAll()
  await sender.pay()
  const id = await sender.sentId()
  const sent = refundOf(sender.payment, {
    id,
    amountMinor: amount,
    reason: sender.keys()[0] ?? null,
  })
  // A row that says it was sent before is wrong: Razorpay has the id of the pending refund on it.
  await sender.fixture.read(
    sql`UPDATE owed_refunds SET before = ${JSON.stringify([id])}, done_at = NULL, due_at = 1`,
  )
  await sender.payListed([sent])
  expect(sender.keys()).toHaveLength(1)
  expect(sender.fixture.alerts).toMatchObject([
    { event: 'a payment contradicts itself', fields: { refundId: id } },
  ])
})

test('money that was refunded unseen is not sent at the first try either', async () => {
  const sender = await openSender()
  const extra = await payTwice(sender)
  await sender.payListed([refundOf(extra)])
  expect(sender.requests).toEqual([])
})

test('extra money that gets no answer is asked for again under the same key, later each time, without an alert', async () => {
  const sender = await openSender()
  const extra = await payTwice(sender)
  sender.failures.push(NO_ANSWER, NO_ANSWER)
  const requested: number[] = []
  for (let minute = 0; minute < 60; minute += 1) {
    await sender.pay()
    requested.push(sender.requests.length)
    sender.fixture.advance(minutes(1))
  }
  expect([9, 10, 29, 30, 59].map((minute) => requested[minute])).toEqual([1, 2, 2, 3, 3])
  expect(new Set(sender.keys())).toEqual(new Set([`refund-${extra.paymentId}-0`]))
  expect(sender.alerts()).toEqual([])
})
