import { monthInIndia } from '#harness/fixture/taxed.ts'
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
import { openPaid, PLAN_IN_INR } from '#harness/fixture/refund.ts'
import { callOf } from '#harness/fixture/fixture.ts'
import { factsOf } from '../ports/payments.ts'
import { days } from '../time.ts'
import { getReceipt, listReceipts, receiptsOfMonth } from './receipts.ts'
import { paymentStatus } from './purchase.ts'
import { listPurchases } from './purchase-history.ts'
import { settle } from './settle.ts'

const FIRST_PAGE = { cursor: undefined, limit: 20 }

test('purchases are listed newest first, a page at a time, without those that expired', async () => {
  const fixture = await emptyFixture()
  const claims = await createAccount(fixture.ctx())
  const ids: string[] = []
  for (const status of ['open', 'attempted', 'expired', 'open'] as const) {
    const { id } = await createPurchase(fixture.ctx(), claims.userId, { status })
    if (status !== 'expired') ids.unshift(id)
    fixture.advance(1_000)
  }
  await openUnpaidPurchase({}, fixture)
  const list = async (query: { cursor: string | undefined; limit: number }) => {
    const { purchases, nextCursor } = await listPurchases(fixture.ctx(), {
      ...callOf(claims),
      query,
    })
    return { ids: purchases.map(({ purchaseId }) => purchaseId), nextCursor }
  }
  expect(await list(FIRST_PAGE)).toEqual({ ids, nextCursor: null })
  expect(await list({ cursor: undefined, limit: 3 })).toEqual({ ids, nextCursor: null })
  const first = await list({ cursor: undefined, limit: 2 })
  expect(first).toEqual({ ids: ids.slice(0, 2), nextCursor: ids[1] })
  expect(await list({ cursor: ids[1], limit: 2 })).toEqual({ ids: ids.slice(2), nextCursor: null })
})

/** A paid purchase, and how its buyer is listed it. */
async function openListed() {
  const paid = await openPaid()
  const list = async () => {
    const call = { ...callOf(paid.claims), query: FIRST_PAGE }
    return (await listPurchases(paid.fixture.ctx(), call)).purchases
  }
  return { ...paid, list }
}

test('a paid purchase shows its receipt, its method, the money returned and until when it may be refunded', async () => {
  const { fixture, claims, purchase, payment, report, list } = await openListed()
  const refundableUntil = new Date(fixture.now() + days(14)).toISOString()
  expect(await list()).toMatchObject([
    {
      receiptNumber: expect.stringContaining('000001'),
      ...{ amountRefunded: 0, method: 'card', refundableUntil, refund: null },
    },
  ])
  await report({ refunds: [refundOf(payment, { amountMinor: 100_000 })] })
  expect(await list()).toMatchObject([{ amountRefunded: 100_000 }])
  const call = { ...callOf(claims), params: { purchaseId: purchase.id } }
  expect((await getReceipt(fixture.ctx(), call)).receipt).toMatchObject({
    amountRefunded: 100_000,
    creditNotes: [{ amount: 100_000 }],
  })
})

test('a purchase that a bank disputes says so, and no refund of it can be requested meanwhile', async () => {
  const { fixture, claims, purchase, payment, report, requestAll, list, quote } = await openListed()
  const dispute = disputeOf(payment)
  await report({ disputes: [dispute] })
  expect(await list()).toMatchObject([{ state: 'disputed', refundableUntil: null }])
  await report({ disputes: [{ ...dispute, state: 'won' }] })
  expect(await list()).toMatchObject([{ state: 'paid', refundableUntil: expect.any(String) }])
  // The bank returns what was requested before: we send nothing.
  await requestAll()
  await report({ disputes: [{ ...dispute, state: 'lost' }] })
  expect(await list()).toMatchObject([
    { state: 'charged_back', refundableUntil: null, refund: { sentAt: null } },
  ])
  expect(await quote()).toMatchObject({ sentAt: null })
  const call = { ...callOf(claims), params: { purchaseId: purchase.id } }
  const returned = { amountRefunded: 0, amountChargedBack: payment.amountMinor }
  expect((await getReceipt(fixture.ctx(), call)).receipt).toMatchObject(returned)
})

test('a purchase has one state: verified payments are being confirmed, and refunds are requested until sent', async () => {
  const { fixture, claims, payment, report, requestAll, list, quote } = await openListed()
  const { amount } = await requestAll()
  const askedAt = new Date(fixture.now()).toISOString()
  const refund = { amount, askedAt, sentAt: null }
  const asked = { state: 'refund_requested', refundableUntil: null, refund }
  expect(await list()).toMatchObject([asked])
  await report({ refunds: [refundOf(payment)] })
  const sentAt = new Date(fixture.now()).toISOString()
  expect(await list()).toMatchObject([{ state: 'refunded', refund: { ...refund, sentAt } }])
  expect(await quote()).toMatchObject({ sentAt })
  for (const [status, verifiedAt, state] of [
    ['open', null, 'not_completed'],
    ['open', fixture.now(), 'confirming'],
    ['attempted', null, 'not_completed'],
    ['attempted', fixture.now(), 'confirming'],
    ['authorized', null, 'confirming'],
  ] as const) {
    await createPurchase(fixture.ctx(), claims.userId, { status, verifiedAt })
    expect((await list())[0]?.state, status).toBe(state)
    fixture.advance(1_000)
  }
})

test('a purchase is found by its own id, its order and its payment, by its user alone', async () => {
  const { fixture, claims, purchase, payment } = await openPaid()
  const stranger = await createAccount(fixture.ctx())
  const statusFor = (caller: typeof stranger, id: string) =>
    paymentStatus(fixture.ctx(), { ...callOf(caller), params: { id } })
  for (const id of [purchase.id, purchase.razorpayOrderId ?? '', payment.paymentId]) {
    const { payment: shown } = await statusFor(claims, id)
    expect(shown).toMatchObject({
      ...{ purchaseId: purchase.id, orderId: purchase.razorpayOrderId },
      ...{ status: 'paid', settlement: 'paid', paidAt: new Date(fixture.now()).toISOString() },
    })
    await expect(statusFor(stranger, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  }
  await expect(statusFor(claims, providerId('pay'))).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('a receipt belongs to the buyer of its purchase', async () => {
  const { fixture, claims, purchase } = await openPaid()
  const other = await openPaid(PLAN_IN_INR, fixture)
  const receiptOf = (caller: typeof claims, purchaseId: string) =>
    getReceipt(fixture.ctx(), { ...callOf(caller), params: { purchaseId } })
  await expect(receiptOf(other.claims, purchase.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const second = await settledPack(fixture.ctx(), claims.userId)
  for (const { id } of [purchase, second]) {
    expect((await receiptOf(claims, id)).receipt.purchaseId).toBe(id)
  }
})

test('the receipts of a month are those issued in it, in India time', async () => {
  const { fixture, claims } = await openUnpaidPurchase({}, await emptyFixture())
  const rowsOf = async (month: string) =>
    (await listReceipts(fixture.ctx(), { ...callOf(claims), query: { month } })).rows.length
  for (const at of [
    '2026-10-31T18:29:59.999Z',
    '2026-10-31T18:30:00.000Z',
    '2026-11-30T18:29:59.999Z',
    '2026-11-30T18:30:00.000Z',
  ]) {
    const purchase = await createPurchase(fixture.ctx(), claims.userId)
    fixture.advance(Date.parse(at) - fixture.now())
    await settle(fixture.ctx(), purchase, factsOf({ payments: [paymentFor(purchase)] }))
  }
  expect([await rowsOf('2026-10'), await rowsOf('2026-11'), await rowsOf('2026-12')]).toEqual([
    1, 2, 1,
  ])
})

test('a user is listed their own receipts and credit notes of a month, and the seller all of a payment mode', async () => {
  const fixture = await emptyFixture()
  const own = await openPaid(PLAN_IN_INR, fixture)
  const other = await openPaid(PLAN_IN_INR, fixture)
  for (const { report, payment } of [own, other]) {
    await report({ refunds: [refundOf(payment, { amountMinor: 1_000 })] })
  }
  const month = monthInIndia(fixture.now())
  const listed = async (ctx = fixture.ctx(), inMonth = month) => {
    const { rows } = await listReceipts(ctx, { ...callOf(own.claims), query: { month: inMonth } })
    return rows.map(({ kind, paymentId }) => ({ kind, paymentId }))
  }
  const { paymentId } = own.payment
  expect(await listed()).toEqual([
    { kind: 'receipt', paymentId },
    { kind: 'credit_note', paymentId },
  ])
  expect(await listed(fixture.ctxOf('live'))).toEqual([])
  expect(await listed(fixture.ctx(), '2020-01')).toEqual([])
  expect(await receiptsOfMonth(fixture.ctx(), month)).toHaveLength(4)
  expect(await receiptsOfMonth(fixture.ctxOf('live'), month)).toEqual([])
})

test('a receipt keeps its seller and its line when the brand changes', async () => {
  const { fixture, claims, purchase } = await openPaid()
  const call = { ...callOf(claims), params: { purchaseId: purchase.id } }
  const ctx = fixture.ctx()
  const { productName, legalEntity, supportEmail } = ctx.brand
  const { receipt } = await getReceipt(ctx, call)
  expect(receipt.seller).toEqual({ name: legalEntity, email: supportEmail })
  expect(receipt.lines[0]?.description).toContain(productName)
  const renamed = { productName: 'Renamed', legalEntity: 'Another', supportEmail: 'a@example.test' }
  const brand = { ...ctx.brand, ...renamed }
  expect((await getReceipt({ ...fixture.ctx(), brand }, call)).receipt).toEqual(receipt)
})
