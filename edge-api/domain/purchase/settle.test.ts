import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createAccount } from '#harness/fixture/account.ts'
import { emptyFixture } from '#harness/fixture/empty-fixture.ts'
import {
  createPurchase,
  disputeOf,
  openUnpaidPurchase,
  paymentFor,
  providerId,
  refundOf,
  settledPack,
} from '#harness/fixture/purchase.ts'
import { openPaid } from '#harness/fixture/refund.ts'
import { mailsOf } from '#harness/fixture/rows.ts'
import { renderMail } from '../mail/render.ts'
import { factsOf } from '../ports/payments.ts'
import { settle } from './settle.ts'

/** An unpaid token pack of USD 25.00 in a database of its own. */
async function open(overrides: Parameters<typeof openUnpaidPurchase>[0] = {}) {
  const opened = await openUnpaidPurchase(overrides, await emptyFixture())
  return { ...opened, payment: paymentFor(opened.purchase) }
}

test('the buyer who paid another amount gets one mail, which names both', async () => {
  const { fixture, claims, purchase, report } = await open()
  const payments = [paymentFor(purchase, { amountMinor: 100 })]
  for (let times = 0; times < 2; times += 1) await report({ payments })
  const mails = await mailsOf(fixture.ctx(), claims.userId)
  const texts = mails.map((mail) => renderMail(mail, fixture.ctx()).text)
  expect(texts).toEqual([expect.stringMatching(/USD 25\.00[^]*USD 1\.00/)])
})

test('a link is cancelled once its purchase is paid, and not when a card is declined', async () => {
  const linked = await open({ razorpayLinkId: providerId('plink') })
  const cancelled: string[] = []
  const cancelLink = (id: string) => Promise.resolve(void cancelled.push(id))
  for (const status of ['failed', 'captured'] as const) {
    const payments = { ...linked.fixture.ctx().payments, cancelLink }
    const facts = factsOf({ payments: [{ ...linked.payment, status }] })
    await settle({ ...linked.fixture.ctx(), payments }, linked.purchase, facts)
    await linked.fixture.drain()
    expect(cancelled).toHaveLength(status === 'captured' ? 1 : 0)
  }
})

test('a refund of extra money that we learn of with the money itself notifies the buyer, and so does its failure', async () => {
  const { purchase, payment, fixture, report, outcome } = await open()
  await report({ payments: [payment] })
  const extra = paymentFor(purchase, { amountRefundedMinor: 2_500 })
  const refund = refundOf(extra, { beganAt: fixture.now() })
  await report({ payments: [extra], refunds: [refund] })
  await report({ refunds: [{ ...refund, state: 'failed' }] })
  expect(await outcome()).toMatchObject({
    pending: [{ reason: 'excess', isDone: false }],
    mails: ['mail-receipt', 'mail-refund-failed', 'mail-refund'],
  })
})

test('the failure of a refund that the seller made before the request is not mailed as ours, known or not', async () => {
  const { fixture, payment, report, requestAll, outcome } = await openPaid()
  const beganAt = fixture.now() + 1_000
  const part = refundOf(payment, { state: 'pending', amountMinor: 100_000, beganAt })
  await report({ refunds: [part] })
  expect(await requestAll()).toMatchObject({ amount: 199_900 })
  const unknown = refundOf(payment, { state: 'failed', amountMinor: 500 })
  await report({ refunds: [{ ...part, state: 'failed' }, unknown] })
  expect((await outcome()).mails).not.toContain('mail-refund-failed')
})

test('each step of a dispute that needs an answer, or is over, mails the team once, with the day by which to answer', async () => {
  const { payment, fixture, report, read } = await open()
  const respondBy = Date.UTC(2026, 11, 1)
  const dispute = disputeOf(payment, { phase: 'retrieval', respondBy })
  await report({ payments: [payment] })
  for (const asOf of [1, 2]) await report({ disputes: [{ ...dispute, state: 'inquiry', asOf }] })
  const chargeback = { ...dispute, state: 'open', phase: 'chargeback' } as const
  await report({ disputes: [{ ...chargeback, asOf: 3 }] })
  // It was answered, and then the bank asks for more.
  await report({ disputes: [{ ...chargeback, respondBy: null, asOf: 4 }] })
  const later = respondBy + 1
  await report({ disputes: [{ ...chargeback, respondBy: later, asOf: 5 }] })
  const mailed = await read(`
    SELECT to_address AS "to", payload ->> 'phase' AS phase, payload ->> 'respondBy' AS respondBy
    FROM mails WHERE kind = 'dispute_for_team' ORDER BY created_at`)
  const to = fixture.ctx().brand.supportEmail
  expect(mailed).toEqual([
    { to, phase: 'retrieval', respondBy },
    { to, phase: 'chargeback', respondBy },
    { to, phase: 'chargeback', respondBy: later },
  ])
  expect(fixture.alerts.filter(({ event }) => event === 'a payment is disputed')).toHaveLength(3)
})

test('a payment that comes with the order of another purchase contradicts itself in both', async () => {
  const { payment, fixture, purchase, report } = await open()
  await report({ payments: [{ ...payment, status: 'authorized' }] })
  const other = await createPurchase(fixture.ctx(), purchase.userId)
  const { razorpayOrderId } = paymentFor(other)
  const facts = factsOf({ payments: [{ ...payment, razorpayOrderId }] })
  await settle(fixture.ctx(), other, facts)
  await settle(fixture.ctx(), purchase, facts)
  const event = 'a payment contradicts itself'
  expect(fixture.alerts).toEqual([
    { event, fields: { purchaseId: other.id } },
    { event, fields: { purchaseId: purchase.id, paymentId: payment.paymentId } },
  ])
})

test('a receipt is made out to the names that there are, or to the user name', async () => {
  const fixture = await emptyFixture()
  const names: [string | null, string | null][] = [
    ['Ada', 'Lovelace'],
    [null, 'Lovelace'],
    ['Ada', ''],
    [' ', null],
  ]
  for (const [firstName, lastName] of names) {
    const account = { username: 'ada', firstName, lastName }
    const { userId } = await createAccount(fixture.ctx(), account)
    await settledPack(fixture.ctx(), userId)
  }
  const receipts = await fixture.read<{ name: string }>(
    'SELECT buyer_name AS name FROM receipts ORDER BY number',
  )
  expect(receipts.map(({ name }) => name)).toEqual(['Ada Lovelace', 'Lovelace', 'Ada', 'ada'])
})

test('the mail of a report is sent after its answer, and earlier due mail is left to the job', async () => {
  const { fixture, claims, purchase, payment, report, read } = await open()
  const stranger = await createAccount(fixture.ctx())
  const enqueue = (id: string, userId: string) =>
    read(sql`
      INSERT INTO mails (id, user_id, kind, to_address, payload, created_at, due_at)
      VALUES (${id}, ${userId}, 'receipt', 'x@example.test', '{}', ${fixture.now()}, ${fixture.now()})`)
  const tried = async () => {
    await fixture.drain()
    return (await read('SELECT id FROM mails WHERE attempts > 0 ORDER BY rowid')).map(
      ({ id }) => id,
    )
  }
  await enqueue('earlier', claims.userId)
  fixture.advance(1_000)
  await enqueue("a stranger's", stranger.userId)
  await settle(fixture.ctx(), purchase, factsOf({}))
  expect(await tried()).toEqual([])
  await report({ payments: [payment] })
  expect(await tried()).toEqual(['earlier', "a stranger's", `mail-receipt:${purchase.id}`])
})
