import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'drizzle-orm'
import { openDatabase } from '../../edge-api/db/database.ts'
import { WriteGate } from '../../edge-api/db/write-gate.ts'
import { type Site, startSite, startWorker } from '../harness/services.ts'
import { newVisitor } from '../harness/visitor.ts'
import { newBuyer, type Buyer } from '../harness/world/buyer.ts'
import {
  controlOf,
  paymentEvent,
  type RazorpayControl,
  type Sending,
  sendWebhook,
} from '../harness/world/razorpay.ts'

let site: Site
let razorpay: RazorpayControl

beforeAll(async () => {
  site = await startSite()
  razorpay = controlOf(site.emulator.url)
  // The emulator's own webhooks are lost: only the tests send them.
  await razorpay.fault({ times: null, action: { type: 'lost' } })
})
afterAll(() => site.stop())

const send = (body: string, sending?: Sending) => sendWebhook(site.worker.url, body, sending)

async function storedEvents() {
  const { url } = site.sqld
  const db = openDatabase({ url, authToken: '', writeGate: new WriteGate(10, Date.now) })
  const [rows] = await db.batch([
    db.all<{ event: string; outcome: string | null; processedAt: number | null }>(
      sql`SELECT event, outcome, processed_at AS processedAt FROM webhook_events ORDER BY received_at`,
    ),
  ])
  return rows
}

/** An order that is paid at Razorpay while we have not been notified. */
async function openPaidOrder(body: Record<string, unknown> = {}) {
  const buyer = await newBuyer(site.worker.url, site.sqld.url)
  const { order, purchaseId } = await buyer.order(body)
  const { paymentId } = await razorpay.pay(order.id)
  const { amount, currency } = order
  const entity = { id: paymentId, order_id: order.id, amount, currency }
  return { buyer, purchaseId, paymentId, entity }
}

async function tokensOf(buyer: Buyer) {
  return (await buyer.balance()).tokens.total
}

test('one event delivered sixteen times grants once', async () => {
  const { buyer, entity } = await openPaidOrder()
  const body = paymentEvent('payment.captured', entity)
  const answers = await Promise.all(
    Array.from({ length: 16 }, () => send(body, { eventId: 'EMUsixteen0001' })),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(await tokensOf(buyer)).toBe(1_000_000)
})

test('payment.captured twice and order.paid, each with its own event id, grant once', async () => {
  const { buyer, entity } = await openPaidOrder()
  await send(paymentEvent('payment.captured', entity))
  await send(paymentEvent('payment.captured', entity))
  await send(paymentEvent('order.paid', entity))
  expect(await tokensOf(buyer)).toBe(1_000_000)
})

test('two events that share an id are both processed', async () => {
  const [first, second] = [await openPaidOrder(), await openPaidOrder()]
  await send(paymentEvent('payment.captured', first.entity), { eventId: 'EMUshared00001' })
  await send(paymentEvent('payment.captured', second.entity), { eventId: 'EMUshared00001' })
  expect(await tokensOf(first.buyer)).toBe(1_000_000)
  expect(await tokensOf(second.buyer)).toBe(1_000_000)
})

test('a failure before or after the capture does not change the grant', async () => {
  const { buyer, entity } = await openPaidOrder()
  const failed = { ...entity, status: 'failed', captured: false }
  await send(paymentEvent('payment.failed', failed))
  expect(await tokensOf(buyer)).toBe(0)
  await send(paymentEvent('payment.captured', entity))
  await send(paymentEvent('payment.failed', failed))
  expect(await tokensOf(buyer)).toBe(1_000_000)
})

test('a refund seen before its capture still takes the tokens back', async () => {
  const { buyer, purchaseId, entity } = await openPaidOrder()
  const refunded = { ...entity, status: 'refunded', amount_refunded: 3_500 }
  await send(paymentEvent('refund.processed', refunded))
  await send(paymentEvent('payment.captured', entity))
  expect(await tokensOf(buyer)).toBe(0)
  expect(await buyer.stateOf(purchaseId)).toMatchObject({ status: 'refunded' })
})

test('a webhook without a valid signature is refused before it is parsed and stores nothing', async () => {
  const { buyer, entity } = await openPaidOrder()
  const body = paymentEvent('payment.captured', entity)
  const before = (await storedEvents()).length
  const wrong: Sending[] = [
    { signature: null },
    { signature: '' },
    { signature: 'z'.repeat(64) },
    { signature: 'a'.repeat(63) },
    { signature: `${'a'.repeat(64)}, ${'a'.repeat(64)}` },
    { secret: 'emu_key_secret_0001' },
    { secret: 'another-secret-entirely' },
  ]
  for (const sending of wrong) {
    expect(await send(body, sending)).toMatchObject({
      status: 400,
      body: { code: 'SIGNATURE_INVALID' },
    })
  }
  expect((await send('not json at all', { signature: 'a'.repeat(64) })).status).toBe(400)
  expect(await storedEvents()).toHaveLength(before)
  expect(await tokensOf(buyer)).toBe(0)
})

test('an event in another JSON notation and without an id grants', async () => {
  const styles: ((body: string) => string)[] = [
    (body) => JSON.stringify(JSON.parse(body), null, 4),
    (body) => body.replaceAll('/', '\\/'),
    (body) => body.replaceAll('order', '\\u006frder'),
  ]
  for (const style of styles) {
    const { buyer, entity } = await openPaidOrder()
    const answer = await send(style(paymentEvent('payment.captured', entity)), { eventId: null })
    expect(answer.status).toBe(200)
    expect(await tokensOf(buyer)).toBe(1_000_000)
  }
})

test('a payment with a wrong amount, currency, state, order or mode grants nothing', async () => {
  const changes = [
    { amount: 100 },
    { currency: 'INR' },
    { status: 'authorized' },
    { captured: false },
    { order_id: 'order_EMUnobodys0000' },
    { id: 'pay_Rabcdefgh12345', order_id: 'order_Rabcdefgh12345' },
  ]
  for (const change of changes) {
    const { buyer, entity } = await openPaidOrder()
    const answer = await send(paymentEvent('payment.captured', { ...entity, ...change }))
    expect(answer.status).toBe(200)
    expect(await tokensOf(buyer)).toBe(0)
  }
  const { buyer, purchaseId, entity } = await openPaidOrder()
  await send(paymentEvent('payment.captured', { ...entity, amount: 100 }))
  expect(await buyer.stateOf(purchaseId)).toMatchObject({ status: 'review', settlement: 'review' })
  expect(site.worker.log().join('\n')).toContain('captured money is owed back')
})

test('unknown events, unknown orders and signed nonsense are stored and answered 200', async () => {
  const bodies = [
    JSON.stringify({ event: 'invoice.paid', payload: { invoice: { entity: {} } } }),
    paymentEvent('payment.captured', {
      id: 'pay_EMUunknown0001',
      order_id: 'order_EMUunknown0001',
    }),
    '{"event":"payment.captured","payload":{"payment":{"entity":{"id":1}}}}',
    '"a string"',
    'genuine, but no JSON',
  ]
  for (const body of bodies) expect((await send(body)).status).toBe(200)
  const outcomes = (await storedEvents()).slice(-bodies.length).map(({ outcome }) => outcome)
  expect(outcomes).toEqual(['ignored', null, 'mismatch', 'mismatch', 'mismatch'])
})

test('without a webhook secret every webhook is refused, health is not ready, and one line is logged', async () => {
  const { buyer, entity } = await openPaidOrder()
  const setup = { databaseUrl: site.sqld.url, emulatorUrl: site.emulator.url }
  const worker = await startWorker({ ...setup, vars: { RAZORPAY_WEBHOOK_SECRETS: '' } })
  try {
    const body = paymentEvent('payment.captured', entity)
    for (const sending of [{ secret: '' }, {}, { signature: null }]) {
      expect(await sendWebhook(worker.url, body, sending)).toMatchObject({
        status: 503,
        body: { code: 'NOT_CONFIGURED' },
      })
    }
    const visitor = newVisitor(worker.url)
    const options = { json: { planType: 'pro' }, bearer: buyer.token }
    expect((await visitor.call('/api/payment/create-order', options)).status).toBe(503)
    expect(await visitor.call('/api/health')).toMatchObject({
      status: 503,
      body: {
        code: 'NOT_READY',
        message: 'Down: payments',
        live: true,
        ready: false,
        parts: {
          database: { status: 'ok' },
          payments: { status: 'down', detail: 'not configured' },
        },
      },
    })
    expect((await visitor.call('/api/health/live')).status).toBe(200)
    const alerts = worker.log().filter((line) => line.includes('payments are not configured'))
    expect(alerts).toEqual([
      expect.stringContaining('RAZORPAY_WEBHOOK_SECRETS is missing or too short'),
    ])
  } finally {
    await worker.stop()
  }
  expect(await tokensOf(buyer)).toBe(0)
})

test('a body over 256 KiB is refused', async () => {
  const answer = await send(JSON.stringify({ event: 'x', padding: 'x'.repeat(300_000) }))
  expect(answer).toMatchObject({ status: 413, body: { code: 'BODY_TOO_LARGE' } })
})

test('the webhook can only be posted', async () => {
  const buyer = await newBuyer(site.worker.url, site.sqld.url)
  expect((await buyer.call('/api/webhooks/razorpay')).status).toBe(405)
})

test('activation finds a paid order behind a newer unpaid one', async () => {
  const { buyer } = await openPaidOrder()
  await buyer.order({ preferredCurrency: 'INR' })
  const path = '/api/payment/activate-subscription-immediate'
  const activated = await buyer.call(path, { method: 'POST' })
  expect(activated).toMatchObject({ status: 200, body: { status: 'paid' } })
  expect(await tokensOf(buyer)).toBe(1_000_000)
})
