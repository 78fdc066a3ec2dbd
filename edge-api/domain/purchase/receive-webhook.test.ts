import { expect, test } from 'vitest'
import { emptyFixture } from '#harness/fixture/empty-fixture.ts'
import { openUnpaidPurchase, paymentFor, providerId } from '#harness/fixture/purchase.ts'
import { withEachBatch } from '#harness/fixture/fixture.ts'
import type { Context } from '../context.ts'
import { factsOf, GatewayRejected, type Facts, type PaymentGateway } from '../ports/payments.ts'
import { days, hours, minutes } from '../time.ts'
import { retryWebhooks } from './webhook-jobs.ts'
import { receiveWebhook } from './webhooks.ts'

/** A Razorpay that sends events with these facts, and a database that may fail to settle them. */
async function openWebhooks(gateway: Partial<PaymentGateway> = {}) {
  const fixture = await emptyFixture()
  const sent = new Map<string, Facts | null>()
  let settlings = 0
  let failing: readonly number[] = []
  const ctx = (): Context => {
    const whole = fixture.ctxWith({
      isWebhookSignature: (_, signature) => Promise.resolve(signature === 'genuine'),
      readEvent: (body) => ({ name: 'payment.captured', facts: sent.get(body) ?? null }),
      ...gateway,
    })
    const db = withEachBatch(whole.db, (statements) => {
      if ('saved' in statements) settlings += 1
      if ('saved' in statements && failing.includes(settlings)) throw new Error('it is gone')
    })
    return { ...whole, db }
  }
  return {
    fixture,
    /** Which settlings fail, counted from one. */
    fail: (...numbers: number[]) => {
      failing = numbers
    },
    send: (facts: Partial<Facts> | null, { signature = 'genuine', eventId = 'event-1' } = {}) => {
      const text = JSON.stringify(facts)
      sent.set(text, facts && factsOf(facts))
      const body = new TextEncoder().encode(text)
      return receiveWebhook(ctx(), { body, signature, eventId })
    },
    retryAfter: (ms: number) => {
      fixture.advance(ms)
      return retryWebhooks(ctx())
    },
    stored: () => fixture.read('SELECT event_id AS id, outcome FROM webhook_events ORDER BY rowid'),
    read: async (column: 'processed_at' | 'attempts') =>
      (await fixture.read(`SELECT ${column} AS it FROM webhook_events ORDER BY rowid`)).map(
        ({ it }) => it,
      ),
    alerts: () => fixture.alerts.map(({ event }) => event),
  }
}

test('an event that is not understood raises an alert, one that concerns us in nothing does not, and neither is tried again', async () => {
  const { fixture, send, stored, read, retryAfter } = await openWebhooks()
  await send(null)
  expect(fixture.alerts).toEqual([
    { event: 'a webhook was not understood', fields: { webhook: 'payment.captured' } },
  ])
  await send({}, { eventId: 'no id: it holds blanks' })
  expect(fixture.alerts).toHaveLength(1)
  expect(await stored()).toEqual([
    { id: 'event-1', outcome: 'mismatch' },
    { id: expect.stringMatching(/^sha256-[0-9a-f]{64}$/), outcome: 'ignored' },
  ])
  await retryAfter(hours(1))
  expect(await read('attempts')).toEqual([0, 0])
})

test('a settled event is neither settled again when it comes again nor tried again', async () => {
  const { fixture, send, read, retryAfter } = await openWebhooks()
  const { purchase, outcome } = await openUnpaidPurchase({}, fixture)
  const facts = { payments: [paymentFor(purchase)] }
  await send(facts)
  const settledAt = fixture.now()
  expect(await outcome()).toMatchObject({ status: 'paid' })
  expect(await fixture.read('SELECT cause FROM purchase_causes')).toEqual([
    { cause: 'webhook event-1' },
  ])
  fixture.advance(1_000)
  await send(facts)
  await retryAfter(hours(1))
  expect([await read('processed_at'), await read('attempts')]).toEqual([[settledAt], [0]])
})

test('an event that cannot be settled is accepted, and done once a later run has settled all of its purchases', async () => {
  const { fixture, fail, send, stored, retryAfter } = await openWebhooks()
  const [one, other] = [
    await openUnpaidPurchase({}, fixture),
    await openUnpaidPurchase({}, fixture),
  ]
  fail(2, 4)
  await send({ payments: [paymentFor(one.purchase), paymentFor(other.purchase)] })
  expect(fixture.errors).toMatchObject([{ event: 'a webhook will be tried again' }])
  await retryAfter(minutes(1))
  expect(fixture.errors.slice(1)).toMatchObject([{ event: 'a webhook could not be settled' }])
  expect(await stored()).toEqual([{ id: 'event-1', outcome: null }])
  await retryAfter(minutes(1))
  expect(await stored()).toEqual([{ id: 'event-1', outcome: 'settled' }])
  for (const { outcome } of [one, other]) expect(await outcome()).toMatchObject({ grants: 1 })
})

test('an event with a payment of another purchase says so, whichever of the two is settled last', async () => {
  const { fixture, send, stored, alerts } = await openWebhooks()
  const [one, other] = [
    await openUnpaidPurchase({}, fixture),
    await openUnpaidPurchase({}, fixture),
  ]
  const payment = paymentFor(one.purchase)
  await send({ payments: [{ ...payment, status: 'authorized' }] })
  const { razorpayOrderId } = paymentFor(other.purchase)
  await send({ payments: [{ ...payment, razorpayOrderId }] }, { eventId: 'event-2' })
  expect(await stored()).toEqual([
    { id: 'event-1', outcome: 'settled' },
    { id: 'event-2', outcome: 'contradiction' },
  ])
  expect(await other.outcome()).toMatchObject({ grants: 0 })
  expect(fixture.alerts).toContainEqual({
    event: 'a payment contradicts itself',
    fields: { purchaseId: other.purchase.id, cause: 'webhook event-2' },
  })
  expect(alerts()).toHaveLength(2)
})

test('another body under the id of an event is an event of its own, whether the first waits or is done', async () => {
  const { fixture, fail, send, stored, retryAfter } = await openWebhooks()
  const bought = [1, 2, 3].map(() => openUnpaidPurchase({}, fixture))
  const [waiting, second, third] = await Promise.all(bought)
  fail(1)
  for (const one of [waiting, second]) if (one) await send({ payments: [paymentFor(one.purchase)] })
  expect((await stored()).map(({ outcome }) => outcome)).toEqual([null, 'settled'])
  await retryAfter(minutes(1))
  if (third) await send({ payments: [paymentFor(third.purchase)] })
  expect((await stored()).map(({ outcome }) => outcome)).toEqual(['settled', 'settled', 'settled'])
  for (const one of [waiting, second, third])
    expect(await one?.outcome()).toMatchObject({ status: 'paid', grants: 1 })
})

test('an event about the order of a link that no event named is settled by the receipt of the order, at the fifth try', async () => {
  const receipts = new Map<string, string>()
  const { fixture, send, retryAfter, alerts } = await openWebhooks({
    fetchReceipt: (id) => {
      const receipt = receipts.get(id)
      return receipt === undefined
        ? Promise.reject(new GatewayRejected('unknown', ''))
        : Promise.resolve(receipt)
    },
  })
  const linked = { razorpayLinkId: providerId('plink') }
  const { purchase, outcome } = await openUnpaidPurchase(linked, fixture)
  const payment = paymentFor(purchase, { razorpayOrderId: providerId('order') })
  receipts.set(payment.razorpayOrderId, purchase.id)
  await send({ payments: [payment] })
  await send(
    {
      payments: [
        { ...payment, razorpayOrderId: providerId('order'), paymentId: providerId('pay') },
      ],
    },
    { eventId: 'event-2' },
  )
  for (const pause of [1, 1, 2, 4]) await retryAfter(minutes(pause))
  expect(await outcome()).toMatchObject({ grants: 0 })
  await retryAfter(minutes(8))
  expect(await outcome()).toMatchObject({ status: 'paid', grants: 1 })
  expect(alerts()).toEqual(['money for an unknown order'])
})

test('an event about an unknown order is tried at growing intervals, and given up without an alert when it brought no money', async () => {
  const { fixture, send, stored, read, retryAfter, alerts } = await openWebhooks()
  const { purchase } = await openUnpaidPurchase({}, fixture)
  const razorpayOrderId = providerId('order')
  await send({ payments: [paymentFor(purchase, { razorpayOrderId, status: 'failed' })] })
  const tries: unknown[] = []
  for (let run = 0; run < 20; run += 1) {
    await retryAfter(minutes(1))
    tries.push(...(await read('attempts')))
  }
  expect(tries).toEqual([1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5])
  expect(await stored()).toEqual([{ id: 'event-1', outcome: 'unknown_order' }])
  expect(alerts()).toEqual([])
})

test('money for orders of another site raises one alert a day', async () => {
  const { fixture, send, stored, retryAfter, alerts } = await openWebhooks({
    fetchReceipt: () => Promise.reject(new GatewayRejected('unknown', '')),
  })
  const { purchase } = await openUnpaidPurchase({}, fixture)
  let sent = 0
  const alertsAfter = async (pause: number) => {
    fixture.advance(pause)
    for (let count = 0; count < 2; count += 1) {
      sent += 1
      const payment = paymentFor(purchase, { razorpayOrderId: providerId('order') })
      await send({ payments: [payment] }, { eventId: `event-${sent}` })
    }
    for (const minute of [1, 1, 2, 4, 8]) await retryAfter(minutes(minute))
    expect((await stored()).every(({ outcome }) => outcome === 'unknown_money')).toBe(true)
    fixture.advance(-minutes(16))
    return alerts().length
  }
  expect(await alertsAfter(0)).toBe(1)
  expect(await alertsAfter(days(1) - 1)).toBe(1)
  expect(await alertsAfter(days(1))).toBe(2)
  expect(new Set(alerts())).toEqual(new Set(['money for an unknown order']))
})
