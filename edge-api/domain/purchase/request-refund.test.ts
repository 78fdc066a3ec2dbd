import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { DAILY_LIMITS } from '../../../src/contract/limits.ts'
import { REFUND } from '../../../src/contract/refund.ts'
import { createAccount } from '#harness/fixture/account.ts'
import { setUpTotp } from '#harness/factors.ts'
import { adminOf } from '#harness/fixture/admin.ts'
import { emptyFixture } from '#harness/fixture/empty-fixture.ts'
import { createPurchase, disputeOf, refundOf, settledPack } from '#harness/fixture/purchase.ts'
import { openPaid, PLAN_IN_INR } from '#harness/fixture/refund.ts'
import { callOf, withEachBatch } from '#harness/fixture/fixture.ts'
import { GatewayUnavailable, type RefundFact } from '../ports/payments.ts'
import { days, hours, minutes } from '../time.ts'
import { askRefund, mailRefundLink, refundQuote } from './request-refund.ts'
import { listPurchases } from './purchase-history.ts'

type Paid = Awaited<ReturnType<typeof openPaid>>

/** A second paid purchase of the same account. */
function buyAgain({ fixture, claims }: Paid, overrides: Parameters<typeof settledPack>[2] = {}) {
  fixture.advance(1_000)
  return settledPack(fixture.ctx(), claims.userId, overrides)
}

test('a plan is refunded after the packs that were bought with it, so that nobody has a pack without a plan', async () => {
  const paid = await openPaid()
  const pack = await buyAgain(paid)
  await expect(paid.quote()).rejects.toThrow(REFUND.packsFirst)
  await expect(paid.ask(299_900)).rejects.toMatchObject({ code: 'NOTHING_TO_CHANGE' })
  expect(await paid.requestAll(pack.id)).toMatchObject({ amount: 2_500 })
  expect(await paid.requestAll()).toMatchObject({ amount: 299_900 })
  expect(await paid.outcome()).toMatchObject({ left: 0 })
})

test('an account takes two refunds in 365 days, the second with an alert; support gives the next', async () => {
  const paid = await openPaid({})
  const { fixture, claims } = paid
  const packs = [await buyAgain(paid), await buyAgain(paid)]
  const [second = '', third = ''] = packs.map(({ id }) => id)
  const event = 'an account buys and gives back'
  await paid.requestAll()
  expect(fixture.alerts).toEqual([])
  await Promise.allSettled([paid.requestAll(second), paid.requestAll(third)])
  expect(fixture.alerts).toEqual([{ event, fields: { userId: claims.userId } }])
  const asked = await fixture.read(`SELECT purchase_id AS id FROM owed_refunds`)
  expect(asked).toHaveLength(2)
  const left = packs.find(({ id }) => !asked.some((row) => row['id'] === id))?.id ?? ''
  await expect(paid.quote(left)).rejects.toThrow(REFUND.often)
  await adminOf(fixture).execute('refund', { user: claims.userId, purchase: left })
  expect(await paid.outcome()).toMatchObject({ left: 0 })
  await fixture.read(`UPDATE owed_refunds SET created_at = created_at - ${days(366)}`)
  const later = await buyAgain(paid)
  expect(await paid.requestAll(later.id)).toMatchObject({ amount: 2_500 })
})

test('tokens go in the order in which they came, and the trial has no refund value', async () => {
  const fixture = await emptyFixture()
  const paid = await openPaid({}, fixture)
  const { userId } = paid.claims
  await fixture.read(sql`UPDATE users SET email_verified_at = 1 WHERE id = ${userId}`)
  await fixture.read(sql`
    INSERT INTO ledger (ref, user_id, kind, tokens, payment_mode, created_at)
    VALUES (${`trial:${userId}`}, ${userId}, 'trial', 20000, 'emulator', 1)`)
  const { id } = await buyAgain(paid, PLAN_IN_INR)
  await paid.use(1_020_000)
  await expect(paid.quote()).rejects.toThrow(REFUND.nothingUnused)
  expect(await paid.quote(id)).toMatchObject({ unusedTokens: 1_000_000, amount: 299_900 })
  await paid.use(10_000)
  expect(await paid.quote(id)).toMatchObject({ unusedTokens: 990_000, amount: 296_901 })
})

test('eight requests at once count once, and all get the same answer', async () => {
  const paid = await openPaid()
  const answers = await Promise.all(Array.from({ length: 8 }, () => paid.ask(299_900)))
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(await paid.outcome()).toMatchObject({
    left: 0,
    pending: [{ reason: 'asked_for' }],
    mails: ['mail-receipt', 'mail-refund-asked'],
  })
})

test('an outdated sum is rejected, and nothing changes', async () => {
  const paid = await openPaid()
  await paid.use(100)
  // 299,870.01 is due.
  for (const amount of [299_900, 299_871, 299_869, 1]) {
    await expect(paid.ask(amount)).rejects.toMatchObject({ code: 'AMOUNT_MISMATCH' })
  }
  expect(await paid.outcome()).toMatchObject({ left: 999_900, pending: [] })
})

/** Asks for the refund, and makes a change between the check and the batch that asks. */
function askAfter(paid: Paid, change: () => Promise<unknown>) {
  const ctx = paid.fixture.ctx()
  let batches = 0
  const db = withEachBatch(ctx.db, async () => {
    batches += 1
    if (batches === 2) await change()
  })
  const params = { purchaseId: paid.purchase.id }
  return askRefund({ ...ctx, db }, { ...callOf(paid.claims), params, body: { amount: 299_900 } })
}

test('tokens that are used between the check and the batch are noticed', async () => {
  const paid = await openPaid()
  const ask = askAfter(paid, () => paid.use(500_000))
  await expect(ask).rejects.toMatchObject({ code: 'AMOUNT_MISMATCH' })
  expect(await paid.outcome()).toMatchObject({ left: 500_000, pending: [] })
})

test('nothing is asked back when the session ends between the check and the batch', async () => {
  const paid = await openPaid()
  const { sessionId } = paid.claims
  const ask = askAfter(paid, () =>
    paid.fixture.read(sql`UPDATE sessions SET ended_at = 1 WHERE id = ${sessionId}`),
  )
  await expect(ask).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  expect(await paid.outcome()).toMatchObject({ left: 1_000_000, pending: [] })
})

test('the fourteenth day after the payment counts whole, in every time zone, and the next day does not', async () => {
  const paid = await openPaid()
  paid.fixture.advance(days(15) - 1)
  const ctx = paid.fixture.ctx()
  const listed = () => listPurchases(ctx, { ...callOf(paid.claims), query: { limit: 1 } })
  expect((await listed()).purchases[0]?.refundableUntil).toBe((await paid.quote()).until)
  paid.fixture.advance(1)
  await expect(paid.quote()).rejects.toThrow(REFUND.over)
  await expect(paid.ask(299_900)).rejects.toMatchObject({ code: 'NOTHING_TO_CHANGE' })
})

test('the purchase of somebody else, an unpaid, a disputed and a refunded one cannot be refunded, and no rest below 1.00', async () => {
  const paid = await openPaid()
  const { fixture, payment, purchase } = paid
  const stranger = await createAccount(fixture.ctx())
  const params = { purchaseId: purchase.id }
  const look = { ...callOf(stranger), params }
  await expect(refundQuote(fixture.ctx(), look)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const foreign = { ...look, body: { amount: 299_900 } }
  await expect(askRefund(fixture.ctx(), foreign)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const unpaid = await createPurchase(fixture.ctx(), paid.claims.userId)
  await expect(paid.quote(unpaid.id)).rejects.toThrow(REFUND.notPaid)
  const dispute = disputeOf(payment, { amountMinor: 100 })
  await paid.report({ disputes: [dispute] })
  await expect(paid.quote()).rejects.toThrow(REFUND.disputed)
  await paid.report({ disputes: [{ ...dispute, state: 'won', asOf: fixture.now() }] })
  const part = refundOf(payment, { amountMinor: 299_801 })
  await paid.report({ refunds: [part] })
  await expect(paid.quote()).rejects.toThrow(REFUND.tooLittle)
  await paid.report({ payments: [{ ...payment, amountRefundedMinor: 299_900 }] })
  await expect(paid.quote()).rejects.toThrow(REFUND.refunded)
})

test("while Razorpay's sum is ahead of the refunds that are known, a request asks for them first", async () => {
  const paid = await openPaid()
  const { payment, fixture, claims, purchase } = paid
  await paid.report({ payments: [{ ...payment, amountRefundedMinor: 199_900 }] })
  const call = { ...callOf(claims), params: { purchaseId: purchase.id }, body: { amount: 100_000 } }
  expect(await paid.quote()).toMatchObject({ amount: 100_000 })
  const ask = (refunds: RefundFact[] | null) =>
    askRefund(
      fixture.ctxWith({
        refundsOfPayment: () =>
          refunds === null ? Promise.reject(new GatewayUnavailable('')) : Promise.resolve(refunds),
      }),
      call,
    )
  const unavailable = { code: 'PAYMENT_PROVIDER_UNAVAILABLE' }
  await expect(ask(null)).rejects.toMatchObject(unavailable)
  // It lists none, and its sum stays ahead.
  await expect(ask([])).rejects.toMatchObject(unavailable)
  expect(fixture.alerts).toMatchObject([{ event: 'a payment contradicts itself' }])
  await ask([refundOf(payment, { amountMinor: 199_900 })])
  expect((await paid.outcome()).pending).toEqual([{ reason: 'asked_for', isDone: false }])
})

/** The secret in the last mailed link. */
async function mailedSecret({ fixture, claims, purchase }: Paid): Promise<string> {
  await mailRefundLink(fixture.ctx(), { ...callOf(claims), params: { purchaseId: purchase.id } })
  const [mail] = await fixture.read(`
    SELECT payload ->> 'secret' AS secret FROM mails WHERE kind = 'refund_link'
    ORDER BY created_at DESC, rowid DESC LIMIT 1`)
  return String(mail?.['secret'])
}

const askWith = ({ fixture, claims, purchase }: Paid, secret: string) =>
  askRefund(fixture.ctx(), {
    ...callOf(claims),
    params: { purchaseId: purchase.id },
    body: { amount: 299_900, secret },
  })

test('an account without a password confirms with a mailed link, once and within an hour', async () => {
  const paid = await openPaid()
  paid.fixture.advance(minutes(11))
  await expect(paid.requestAll()).rejects.toMatchObject({ code: 'STEP_UP_REQUIRED' })
  await expect(askWith(paid, 'wrong')).rejects.toMatchObject({ code: 'LINK_INVALID' })
  const old = await mailedSecret(paid)
  paid.fixture.advance(hours(1))
  await expect(askWith(paid, old)).rejects.toMatchObject({ code: 'LINK_INVALID' })
  const secret = await mailedSecret(paid)
  await askWith(paid, secret)
  expect(await paid.outcome()).toMatchObject({ left: 0, pending: [{ reason: 'asked_for' }] })
  expect(await paid.fixture.read('SELECT count(used_at) AS used FROM mailed_links')).toEqual([
    { used: 1 },
  ])
})

test('an address gets a bounded number of refund links a day, each at once', async () => {
  const paid = await openPaid()
  const mail = () =>
    mailRefundLink(paid.fixture.ctx(), {
      ...callOf(paid.claims),
      params: { purchaseId: paid.purchase.id },
    })
  await paid.fixture.drain()
  await mail()
  await paid.fixture.drain()
  expect(
    await paid.fixture.read("SELECT count(sent_at) AS sent FROM mails WHERE kind = 'refund_link'"),
  ).toEqual([{ sent: 1 }])
  await paid.fixture.read(`UPDATE daily_counts SET count = ${DAILY_LIMITS.mail - 1}`)
  await mail()
  await expect(mail()).rejects.toMatchObject({ name: 'ApiError' })
  expect(await paid.fixture.read('SELECT count(*) AS n FROM mailed_links')).toEqual([{ n: 2 }])
})

test('a mailed link of another account confirms nothing', async () => {
  const fixture = await emptyFixture()
  const paid = await openPaid(PLAN_IN_INR, fixture)
  const other = await openPaid(PLAN_IN_INR, fixture)
  const secret = await mailedSecret(other)
  fixture.advance(minutes(11))
  await expect(askWith(paid, secret)).rejects.toMatchObject({ code: 'LINK_INVALID' })
})

test('an account with a password or a second step gets no mailed link', async () => {
  const paid = await openPaid()
  const { fixture, claims } = paid
  await fixture.read(sql`UPDATE users SET password_hash = '$scrypt$x'`)
  await expect(mailedSecret(paid)).rejects.toMatchObject({ code: 'STEP_UP_REQUIRED' })
  await fixture.read(sql`UPDATE users SET password_hash = '', email_verified_at = 1`)
  const secret = await mailedSecret(paid)
  await setUpTotp(fixture.ctx(), claims)
  await expect(mailedSecret(paid)).rejects.toMatchObject({ code: 'STEP_UP_REQUIRED' })
  fixture.advance(minutes(11))
  await expect(askWith(paid, secret)).rejects.toMatchObject({ code: 'STEP_UP_REQUIRED' })
})
