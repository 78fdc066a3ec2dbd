import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { startSite, type Site } from '../harness/services.ts'
import { newBuyer, type Buyer } from '../harness/world/buyer.ts'
import {
  controlOf,
  paymentEvent,
  type RazorpayControl,
  sendWebhook,
} from '../harness/world/razorpay.ts'

let site: Site
let razorpay: RazorpayControl
/** How many minutes cron runs ahead of the clock, so that each check is later than the one before. */
let ahead = 0

beforeAll(async () => {
  site = await startSite()
  razorpay = controlOf(site.emulator.url)
})
afterEach(() => razorpay.clearFaults())
afterAll(() => site.stop())

const noWebhooks = () => razorpay.fault({ times: null, action: { type: 'lost' } })

/** Runs the reconcile job this many minutes later than before. */
async function reconcile(minutes = 30) {
  ahead += minutes
  await site.worker.runCron('* * * * *', new Date(Date.now() + ahead * 60_000))
}

async function tokensOf(buyer: Buyer) {
  return (await buyer.balance()).tokens.total
}

const createOrder = (buyer: Buyer) =>
  buyer.call('/api/payment/create-order', { json: { planType: 'pro' } })

const faults: [string, Record<string, unknown>][] = [
  ['a broken connection', { type: 'reset' }],
  ['502 with HTML', { type: 'status', code: 502, body: 'html' }],
  ['429', { type: 'status', code: 429, retry_after: 60 }],
  ['200 with HTML', { type: 'status', code: 200, body: 'html' }],
  ['bad keys', { type: 'status', code: 401 }],
]

test.each(faults)('%s while ordering answers 503, and a retry succeeds', async (_what, action) => {
  const buyer = await newBuyer(site.worker.url, site.sqld.url)
  const match = { method: 'POST', path: '/v1/orders' }
  await razorpay.fault({ match, action, times: null })
  const refused = await createOrder(buyer)
  expect(refused).toMatchObject({ status: 503, body: { code: 'PAYMENT_PROVIDER_UNAVAILABLE' } })
  expect(refused.headers.get('retry-after')).toBe('30')
  expect(JSON.stringify(refused.body)).not.toContain('TypeError')
  await razorpay.clearFaults()
  expect((await createOrder(buyer)).status).toBe(200)
})

test('an order whose answer was lost twice is found and not created again', async () => {
  const buyer = await newBuyer(site.worker.url, site.sqld.url)
  const match = { method: 'POST', path: '/v1/orders' }
  await razorpay.fault({ match, times: 2, action: { type: 'commit_then_reset' } })
  expect((await createOrder(buyer)).status).toBe(503)
  await reconcile(2)
  const first = await buyer.call('/api/payment/purchases')
  const [purchase] = Object(first.body).purchases
  expect(purchase).toMatchObject({ status: 'open', settlement: 'pending' })
  const again = await createOrder(buyer)
  expect(again.body).toMatchObject({ order: { id: purchase.orderId } })
})

test('without a webhook and a handler the reconcile job grants once, even when three run at once', async () => {
  const buyer = await newBuyer(site.worker.url, site.sqld.url)
  const { order, purchaseId } = await buyer.order()
  await noWebhooks()
  await razorpay.pay(order.id)
  ahead += 2
  const at = new Date(Date.now() + ahead * 60_000)
  await Promise.all([1, 2, 3].map(() => site.worker.runCron('* * * * *', at)))
  expect(await tokensOf(buyer)).toBe(1_000_000)
  await reconcile()
  expect(await tokensOf(buyer)).toBe(1_000_000)
  expect(await buyer.stateOf(purchaseId)).toMatchObject({ status: 'paid' })
})

test('the reconcile job captures a payment that was only authorized', async () => {
  const buyer = await newBuyer(site.worker.url, site.sqld.url)
  const { order, purchaseId } = await buyer.order()
  await noWebhooks()
  await razorpay.send('POST', '/payments', { order_id: order.id, outcome: 'authorize_only' })
  await reconcile(2)
  expect(await buyer.stateOf(purchaseId)).toMatchObject({ status: 'authorized' })
  expect(await tokensOf(buyer)).toBe(0)
  await reconcile(5)
  expect(await buyer.stateOf(purchaseId)).toMatchObject({ status: 'paid' })
  expect(await tokensOf(buyer)).toBe(1_000_000)
})

test('while Razorpay is unavailable a confirmation is pending, and the reconcile job grants later', async () => {
  const buyer = await newBuyer(site.worker.url, site.sqld.url)
  const { order } = await buyer.order()
  await noWebhooks()
  const json = await razorpay.pay(order.id)
  const match = { path: '/v1/payments/*' }
  await razorpay.fault({ match, times: null, action: { type: 'status', code: 503 } })
  const paths = ['verify-payment', 'activate-order-public']
  const answers = await Promise.all(
    paths.map((path) => buyer.call(`/api/payment/${path}`, { json })),
  )
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 200, body: { success: true, status: 'pending' } })
  }
  await razorpay.clearFaults()
  await reconcile(2)
  expect(await tokensOf(buyer)).toBe(1_000_000)
})

test('a failed payment that is authorized two days later is paid', async () => {
  const buyer = await newBuyer(site.worker.url, site.sqld.url)
  const { order, purchaseId } = await buyer.order()
  await noWebhooks()
  const failed = await razorpay.send('POST', '/payments', {
    order_id: order.id,
    outcome: 'failure',
  })
  const { razorpay_payment_id: paymentId } = Object(failed)
  await reconcile(2)
  expect(await buyer.stateOf(purchaseId)).toMatchObject({ settlement: 'failed' })
  await razorpay.send('POST', `/payments/${String(paymentId)}/late_authorize`)
  await reconcile(2 * 24 * 60)
  await reconcile(24 * 60)
  expect(await buyer.stateOf(purchaseId)).toMatchObject({ status: 'paid' })
})

test('a webhook during a database outage answers 503 and grants once it is delivered again', async () => {
  const buyer = await newBuyer(site.worker.url, site.sqld.url)
  const { order } = await buyer.order()
  await noWebhooks()
  const { paymentId } = await razorpay.pay(order.id)
  const body = paymentEvent('payment.captured', { id: paymentId, order_id: order.id })
  await site.sqld.kill()
  const refused = await sendWebhook(site.worker.url, body)
  expect(refused).toMatchObject({ status: 503, body: { code: 'DATABASE_UNAVAILABLE' } })
  await site.sqld.restart()
  await vi.waitFor(async () => {
    expect((await sendWebhook(site.worker.url, body)).status).toBe(200)
  }, 10_000)
  expect(await tokensOf(buyer)).toBe(1_000_000)
})
