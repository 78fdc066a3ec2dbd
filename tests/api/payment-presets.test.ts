import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Site, startSite } from '../harness/services.ts'
import { newBuyer, type Buyer } from '../harness/world/buyer.ts'
import { controlOf, type RazorpayControl } from '../harness/world/razorpay.ts'

let site: Site
let razorpay: RazorpayControl

beforeAll(async () => {
  site = await startSite()
  razorpay = controlOf(site.emulator.url)
})
afterAll(() => site.stop())

/** Orders Pro, runs a preset of the emulator on the order, and answers a reading of the outcome. */
async function runPreset(name: string, prepare?: (buyer: Buyer) => Promise<unknown>) {
  const buyer = await newBuyer(site.worker.url, site.sqld.url)
  const { order, purchaseId } = await buyer.order()
  await prepare?.(buyer)
  await razorpay.send('POST', '/scenario', { name, order_id: order.id })
  return async () => {
    const [{ status }, { tokens }] = await Promise.all([buyer.stateOf(purchaseId), buyer.balance()])
    return { status, tokens: tokens.total }
  }
}

const eventually = (assertion: () => Promise<void>) =>
  vi.waitFor(assertion, { timeout: 10_000, interval: 250 })

const paidOnce = { status: 'paid', tokens: 1_000_000 }

test.each([
  ['happy', paidOnce],
  ['declined-then-ok', paidOnce],
  ['webhook-storm', paidOnce],
  ['refund-before-capture', { status: 'refunded', tokens: 0 }],
  ['wrong-amount', { status: 'review', tokens: 0 }],
])('after the preset %s the purchase is as expected', async (name, outcome) => {
  const result = await runPreset(name)
  await eventually(async () => expect(await result()).toEqual(outcome))
})

test('paying an order and its link grants the tokens once', async () => {
  const json = { planType: 'pro', amount: 35, description: 'Pro' }
  const result = await runPreset('double-pay-order-and-link', (buyer) =>
    buyer.call('/api/payment/create-payment-link', { json }),
  )
  await eventually(async () => expect(await result()).toEqual(paidOnce))
})

test('a payment that the bank authorises two minutes late is paid', async () => {
  const result = await runPreset('late-auth')
  await eventually(async () => expect(await result()).toMatchObject({ tokens: 0 }))
  await razorpay.send('POST', '/clock', { advanceSeconds: 120 })
  await eventually(async () => expect(await result()).toEqual(paidOnce))
})

test('a webhook grants the tokens while the API of Razorpay is down', async () => {
  const result = await runPreset('api-down-10min')
  await eventually(async () => expect(await result()).toEqual(paidOnce))
})
