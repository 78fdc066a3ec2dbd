import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Site, startSite } from '../harness/services.ts'
import { newBuyer, type Buyer } from '../harness/world/buyer.ts'
import {
  controlOf,
  paymentEvent,
  type RazorpayControl,
  sendWebhook,
} from '../harness/world/razorpay.ts'

// A separate site, because its database is killed, its emulator's clock is set and its jobs run ahead of time.
let site: Site
let razorpay: RazorpayControl
beforeAll(async () => {
  site = await startSite()
  razorpay = controlOf(site.emulator.url)
})
afterAll(() => site.stop())

const createBuyer = () => newBuyer(site.worker.url, site.sqld.url)
const tokensOf = async (buyer: Buyer) => (await buyer.balance()).tokens.total

/** Runs the jobs of a minute in which all orders so far are due for a check. */
const reconcile = () =>
  site.worker.runCron('* * * * *', new Date(Date.now() + 2 * 60_000)).then(() => ({ status: 200 }))

/** An order, paid at Razorpay, whose webhooks are lost. */
async function paidOrder() {
  const buyer = await createBuyer()
  const { order, purchaseId } = await buyer.order()
  const match = { order_id: order.id }
  await razorpay.fault({ match, times: null, action: { type: 'lost' } })
  const triple = await razorpay.pay(order.id)
  const { paymentId } = triple
  const webhook = paymentEvent('payment.captured', { id: paymentId, order_id: order.id })
  return { buyer, purchaseId, triple, webhook }
}

/** Orders Pro, runs a preset of the emulator on the order, and returns a function that reads the outcome. */
async function runPreset(name: string, prepare?: (buyer: Buyer) => Promise<unknown>) {
  const buyer = await createBuyer()
  const { order, purchaseId } = await buyer.order()
  await prepare?.(buyer)
  await razorpay.send('POST', '/scenario', { name, order_id: order.id })
  return async () => {
    const { status } = await buyer.stateOf(purchaseId)
    return { status, tokens: await tokensOf(buyer) }
  }
}

const paidOnce = { status: 'paid', tokens: 1_000_000 }

test('when an order and its payment link are both paid, the tokens are granted once and the other payment is refunded, by a job that begins late too', async () => {
  const json = { planType: 'pro', amount: 35, description: 'Pro' }
  const result = await runPreset('double-pay-order-and-link', (buyer) =>
    buyer.call('/api/payment/create-payment-link', { json }),
  )
  await expect.poll(result).toEqual(paidOnce)
  const refunds = async () => {
    await site.worker.runCron('* * * * *', new Date(Date.now() - 3_600_000))
    return (await razorpay.requests()).filter(({ path }) => path.endsWith('/refund'))
  }
  await expect.poll(refunds).toHaveLength(1)
  expect(await result()).toEqual(paidOnce)
})

test('while Razorpay is broken ordering answers 503, a confirmation is pending, and the job grants later', async () => {
  const { buyer, triple } = await paidOrder()
  await razorpay.fault({ match: { method: 'GET' }, times: null, action: { type: 'reset' } })
  const posted = { method: 'POST', path: '/v1/orders' }
  await razorpay.fault({ match: posted, times: null, action: { type: 'reset' } })
  const refused = await (
    await createBuyer()
  ).call('/api/payment/create-order', { json: { planType: 'pro' } })
  expect(refused).toMatchObject({ status: 503, body: { code: 'PAYMENT_PROVIDER_UNAVAILABLE' } })
  expect(refused.headers.get('retry-after')).toBe('30')
  const pending = await buyer.call('/api/payment/verify-payment', { json: triple })
  expect(pending).toMatchObject({ status: 200, body: { success: true, status: 'pending' } })
  await razorpay.clearFaults()
  await expect.poll(() => reconcile().then(() => tokensOf(buyer))).toBe(1_000_000)
})

test('a webhook during a database outage answers 503 and grants once it is delivered again', async () => {
  const { buyer, webhook } = await paidOrder()
  await site.sqld.kill()
  expect(await sendWebhook(site.worker.url, webhook)).toMatchObject({
    status: 503,
    body: { code: 'DATABASE_UNAVAILABLE' },
  })
  await site.sqld.restart()
  const deliver = async () => (await sendWebhook(site.worker.url, webhook)).status
  await expect.poll(deliver).toBe(200)
  expect(await tokensOf(buyer)).toBe(1_000_000)
})

test('a webhook grants the tokens while the API of Razorpay is down', async () => {
  await expect.poll(await runPreset('api-down-10min')).toEqual(paidOnce)
})
