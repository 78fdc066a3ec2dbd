import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { useJobBench } from '#harness/fixture/job-bench.ts'
import { createPurchase, paymentFor, refundOf } from '#harness/fixture/purchase.ts'
import type { Context } from '../context.ts'
import { days, hours, minutes } from '../time.ts'
import { factsOf } from '../ports/payments.ts'
import type { Found } from './audit-differences.ts'
import { auditPayments } from './audit-payments.ts'
import { reconcilePurchases } from './reconcile.ts'
import { settle } from './settle.ts'
import { alertOfSilence } from './webhook-jobs.ts'

// No webhook arrives here, so only the jobs learn of payments.
const bench = useJobBench()

/** A paid token pack. Its clock is a little ahead of the emulator's, so that the lists hold everything. */
async function paidPack() {
  const opened = await bench.openOrder()
  const { fixture, orderId } = opened
  const { paymentId } = await bench.razorpay.pay(orderId)
  fixture.advance(minutes(2))
  await reconcilePurchases(fixture.ctx())
  const audit = (since = fixture.now() - hours(48)) => auditIds(fixture.ctx(), since)
  /** The audit's own alerts about this payment since the last call. */
  const alerts = () =>
    fixture.alerts
      .splice(0)
      .filter(({ event }) => event.startsWith('the audit'))
      .filter(({ fields }) => fields['paymentId'] === paymentId)
  /** Refunds it at Razorpay, and later settles that here in another state. */
  const refundAs = async (state: 'processed' | 'failed', later = 0) => {
    const { id } = await send(`/payments/${paymentId}/refund`, {})
    fixture.advance(later)
    const listed = await bench.gateway.refundsOfPayment(paymentId)
    const refunds = listed.map((refund) => ({ ...refund, state }))
    await settle(fixture.ctx(), opened.purchase, factsOf({ refunds }))
    return id
  }
  return { ...opened, paymentId, audit, alerts, refundAs }
}

/** What an audit found, by its ids. */
async function auditIds(ctx: Context, since: number) {
  const report = await auditPayments(ctx, { since })
  const idsOf = (found: Found[]) => found.map(({ id }) => id)
  return {
    ...report,
    found: idsOf(report.found),
    foreign: idsOf(report.foreign),
    contradicted: idsOf(report.contradicted),
  }
}

async function send(path: string, body: unknown): Promise<{ id: string }> {
  const answer = Object(await bench.razorpay.send('POST', path, body))
  return { id: String(answer.id) }
}

test('an audit whose time is over looks up no further payment, and says so', async () => {
  const { fixture, orderId } = await bench.openOrder()
  const { paymentId } = await bench.razorpay.pay(orderId)
  fixture.advance(minutes(2))
  const since = fixture.now() - hours(1)
  const late = await auditPayments(fixture.ctx(), { since, endsAt: fixture.now() })
  expect(late).toMatchObject({ isWhole: false, found: [] })
  expect(fixture.alerts).toMatchObject([{ fields: { kind: 'unaccounted payments' } }])
  expect((await auditIds(fixture.ctx(), since)).found).toContain(paymentId)
})

test('the audit finds a refund of a payment that is older than its span, and that this refund failed', async () => {
  const { fixture, paymentId, audit, alerts, outcome } = await paidPack()
  const { id } = await send(`/payments/${paymentId}/refund`, {})
  fixture.advance(days(3))
  expect(await audit()).toMatchObject({ found: expect.arrayContaining([id]) })
  expect(alerts()).toEqual([
    {
      event: 'the audit found a refund unaccounted for',
      fields: expect.objectContaining({ id, state: 'processed', amount: 'USD 25.00' }),
    },
  ])
  expect(await outcome()).toMatchObject({ status: 'refunded', left: 0 })
  await send(`/refunds/${id}`, { status: 'failed' })
  await audit()
  expect(alerts()).toMatchObject([{ fields: { id, state: 'failed' } }])
  expect(await outcome()).toMatchObject({ status: 'paid', left: 1_000_000 })
  expect((await audit()).found).not.toContain(id)
  expect(alerts()).toEqual([])
})

test('the audit knows a refund that we sent ourselves and that only its answer reported', async () => {
  const { fixture, purchase, paymentId, audit, alerts } = await paidPack()
  const refund = await bench.gateway.refund({
    paymentId,
    amountMinor: 500,
    key: `own-${paymentId}`,
  })
  await settle(fixture.ctx(), purchase, factsOf({ refunds: [refund] }))
  expect((await audit()).found).not.toContain(paymentId)
  expect(alerts()).toEqual([])
})

test('the audit finds a refund that is undone here and was made at Razorpay, long ago', async () => {
  const { fixture, audit, refundAs } = await paidPack()
  const id = await refundAs('failed', days(60))
  fixture.alerts.splice(0)
  expect((await audit()).contradicted).toContain(id)
  expect(fixture.alerts).toMatchObject([{ event: 'what is stored contradicts Razorpay' }])
})

test('a refund that is done here and still pending at Razorpay contradicts it, each day', async () => {
  await bench.razorpay.send('POST', '/settings', { refundsStayPending: true })
  const { fixture, audit, refundAs } = await paidPack()
  const id = await refundAs('processed')
  expect(await audit(), 'lists lag').toMatchObject({ contradicted: [] })
  for (let day = 0; day < 2; day += 1) {
    fixture.advance(days(1))
    expect(await audit()).toMatchObject({ found: [], contradicted: [id] })
  }
})

test('a pending refund that is too old for the lists is looked up by its id', async () => {
  await bench.razorpay.send('POST', '/settings', { refundsStayPending: true })
  const { fixture, paymentId, audit, alerts, outcome } = await paidPack()
  const { id } = await send(`/payments/${paymentId}/refund`, {})
  await bench.razorpay.send('POST', '/settings', { refundsStayPending: false })
  await audit()
  expect(await outcome()).toMatchObject({ left: 0 })
  fixture.advance(days(60))
  await send(`/refunds/${id}`, { status: 'failed' })
  alerts()
  await audit()
  expect(alerts()).toMatchObject([{ fields: { id, state: 'failed' } }])
  expect(await outcome()).toMatchObject({ status: 'paid', left: 1_000_000 })
})

test('the audit compares nothing of another mode, and contradicts a grant for a payment on the order of others', async () => {
  const { fixture } = bench
  const { purchase } = await bench.openOrder()
  const live = await createPurchase(fixture.ctxOf('live'), purchase.userId, { paymentMode: 'live' })
  const paid = paymentFor(live)
  const refunds = [refundOf(paid, { state: 'pending', amountMinor: 100 })]
  await settle(fixture.ctxOf('live'), live, factsOf({ payments: [paid], refunds }))
  const { amountMinor, currency } = purchase
  const other = { purchaseId: 'other_site', amountMinor, currency }
  const { paymentId } = await bench.razorpay.pay(await bench.gateway.createOrder(other))
  const payment = paymentFor(purchase, { paymentId })
  await settle(fixture.ctx(), purchase, factsOf({ payments: [payment] }))
  fixture.advance(minutes(2))
  expect((await auditIds(fixture.ctx(), fixture.now() - hours(48))).contradicted).toEqual([
    paymentId,
  ])
})

test('an extra payment that waits for its refund, and that Razorpay does not know, contradicts it however old it is', async () => {
  const { fixture, purchase, audit } = await paidPack()
  const extra = paymentFor(purchase)
  await settle(fixture.ctx(), purchase, factsOf({ payments: [extra] }))
  fixture.advance(days(60))
  expect((await audit()).contradicted).toContain(extra.paymentId)
})

test('the audit finds a dispute that was opened and lost unseen', async () => {
  const { paymentId, audit, alerts, outcome } = await paidPack()
  const { id } = await send(`/payments/${paymentId}/dispute`, { event: 'created' })
  await audit()
  expect(alerts()).toMatchObject([
    { event: 'the audit found a dispute unaccounted for', fields: { id, state: 'open' } },
  ])
  expect(await outcome()).toMatchObject({ status: 'paid', left: 0 })
  await send(`/payments/${paymentId}/dispute`, { event: 'lost' })
  await audit()
  expect(alerts()).toMatchObject([{ fields: { id, state: 'lost' } }])
  expect(await outcome()).toMatchObject({ status: 'refunded', left: 0 })
})

test('a payment that no job will check again is found when the audit goes that far back', async () => {
  const { fixture, orderId, purchase, outcome } = await bench.openOrder()
  await fixture.read(sql`UPDATE purchases SET next_check_at = NULL WHERE id = ${purchase.id}`)
  const { paymentId } = await bench.razorpay.pay(orderId)
  fixture.advance(days(5))
  const auditOf = (count: number) => auditIds(fixture.ctx(), fixture.now() - days(count))
  expect((await auditOf(2)).found).not.toContain(paymentId)
  const found = expect.arrayContaining([paymentId])
  expect(await auditOf(7)).toMatchObject({ found, isWhole: true })
  expect(fixture.alerts).toContainEqual({
    event: 'the audit found a payment unaccounted for',
    fields: {
      ...{ id: paymentId, paymentId, razorpayOrderId: orderId },
      ...{ state: 'captured', amount: 'USD 25.00' },
    },
  })
  expect(await outcome()).toMatchObject({ status: 'paid', grants: 1 })
})

test('the audit finds money on a link that no report named, by the receipt of its order', async () => {
  const { fixture, purchase, audit, outcome } = await paidPack()
  const { id: purchaseId, amountMinor, currency } = purchase
  const { url } = await bench.gateway.createLink({
    ...{ purchaseId, amountMinor, currency, description: 'Pack' },
    callbackUrl: 'http://localhost:8787/api/payment/link-callback',
    expiresAt: fixture.now() + hours(24),
  })
  const { paymentId } = await bench.payLink(url)
  fixture.advance(minutes(5))
  expect(await audit()).toMatchObject({ found: expect.arrayContaining([paymentId]) })
  const pending = [{ reason: 'excess', isDone: false }]
  expect(await outcome()).toMatchObject({ status: 'paid', pending })
})

test('a webhook that is silent for two days raises an alert when something was paid meanwhile', async () => {
  const { fixture } = await paidPack()
  const alertsAfter = async (ms: number) => {
    fixture.alerts.splice(0)
    fixture.advance(ms)
    await alertOfSilence(fixture.ctx())
    return fixture.alerts.map(({ event }) => event)
  }
  expect(await alertsAfter(hours(1) - 1), 'it may be on its way').toEqual([])
  expect(await alertsAfter(1)).toEqual(['no webhook arrives'])
  await fixture.read(sql`
    INSERT INTO webhook_events (event_id, event, body, received_at)
    VALUES ('evt_1', 'order.paid', '{}', ${fixture.now()})`)
  expect(await alertsAfter(0)).toEqual([])
  expect(await alertsAfter(days(3))).toEqual([])
})

test('payments that belong to nobody here raise one alert', async () => {
  const { fixture, audit } = await paidPack()
  const foreign: string[] = []
  for (let count = 0; count < 3; count += 1) {
    const orderId = await bench.gateway.createOrder({
      purchaseId: `other_site_${fixture.now()}_${count}`,
      amountMinor: 500,
      currency: 'USD',
    })
    foreign.push((await bench.razorpay.pay(orderId)).paymentId)
  }
  const report = await audit()
  expect(report.foreign.toSorted()).toEqual(expect.arrayContaining(foreign.toSorted()))
  const events = fixture.alerts.filter(({ event }) => event === 'money for an unknown order')
  expect(events).toMatchObject([{ fields: { payments: report.foreign.length } }])
})
