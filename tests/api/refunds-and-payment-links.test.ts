import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { type Site, startSite, testSecrets } from '../harness/services.ts'
import { TRIPS_OF_JOURNEYS, tripsOf } from '../harness/trips.ts'
import { newVisitor } from '../harness/visitor.ts'
import { newBuyer, type Buyer } from '../harness/world/buyer.ts'
import { controlOf, type RazorpayControl } from '../harness/world/razorpay.ts'

let site: Site
let razorpay: RazorpayControl

beforeAll(async () => {
  site = await startSite()
  razorpay = controlOf(site.emulator.url)
})
afterAll(() => site.stop())

const Payment = z.looseObject({ amount_refunded: z.number() })

async function refundsOf(paymentId: string): Promise<number> {
  const credentials = `${testSecrets.RAZORPAY_KEY_ID}:${testSecrets.RAZORPAY_KEY_SECRET}`
  const response = await fetch(`${site.emulator.url}/v1/payments/${paymentId}`, {
    headers: { authorization: `Basic ${btoa(credentials)}` },
  })
  return Payment.parse(await response.json()).amount_refunded
}

async function tokensOf(buyer: Buyer) {
  return (await buyer.balance()).tokens.total
}

const eventually = (assertion: () => Promise<void>) =>
  vi.waitFor(assertion, { timeout: 10_000, interval: 250 })

async function buyPro(overrides: Record<string, unknown> = {}) {
  const buyer = await newBuyer(site.worker.url, site.sqld.url)
  const { order, purchaseId } = await buyer.order(overrides)
  const json = await razorpay.pay(order.id)
  await buyer.call('/api/payment/verify-payment', { json })
  return { buyer, purchaseId, order, paymentId: json.paymentId }
}

const Deliveries = z.object({
  deliveries: z.array(
    z.object({ orderId: z.string().nullable(), event: z.string(), state: z.string() }),
  ),
})

const Link = z.object({
  paymentLink: z.object({
    id: z.string(),
    purchaseId: z.string(),
    url: z.string(),
    amount: z.number(),
    currency: z.string(),
  }),
})

async function orderLink(buyer: Buyer) {
  const answer = await buyer.call('/api/payment/create-payment-link', {
    json: { planType: 'pro', amount: 35, description: 'Pro for the whole year' },
  })
  return Link.parse(answer.body).paymentLink
}

/** Pays a link as its page does, and returns the address the browser is sent back to. */
async function payLink(url: string): Promise<URL> {
  const page = await (await fetch(url)).text()
  const [orderId = ''] = /order_EMU\w{11}/.exec(page) ?? []
  const { paymentId } = await razorpay.pay(orderId)
  const done = await fetch(`${url}/done?payment_id=${paymentId}`, { redirect: 'manual' })
  return new URL(done.headers.get('location') ?? '')
}

async function followBack(callback: URL) {
  const answer = await newVisitor(site.worker.url).call(`${callback.pathname}${callback.search}`)
  expect(tripsOf(answer)).toBeLessThanOrEqual(TRIPS_OF_JOURNEYS.paymentLinkCallback)
  const { pathname, searchParams } = new URL(answer.headers.get('location') ?? '', callback)
  return { status: answer.status, pathname, query: Object.fromEntries(searchParams) }
}

test('a payment link paid without a session grants the tokens to its owner', async () => {
  const buyer = await newBuyer(site.worker.url, site.sqld.url)
  const link = await orderLink(buyer)
  expect(await orderLink(buyer)).toEqual(link)
  expect(link).toMatchObject({ amount: 3_500, currency: 'USD' })
  expect(await (await fetch(link.url)).text()).toContain('Pro for the whole year')
  await razorpay.fault({ times: 3, action: { type: 'lost' } })
  const callback = await payLink(link.url)
  expect(await followBack(callback)).toEqual({
    status: 303,
    pathname: '/subscription/success',
    query: {
      subscription_id: link.purchaseId,
      payment_id: callback.searchParams.get('razorpay_payment_id'),
    },
  })
  expect(await tokensOf(buyer)).toBe(1_000_000)
  await razorpay.clearFaults()
})

test('the return from a payment link is trusted only with a valid signature', async () => {
  const buyer = await newBuyer(site.worker.url, site.sqld.url)
  const link = await orderLink(buyer)
  await razorpay.fault({ times: 4, action: { type: 'lost' } })
  const callback = await payLink(link.url)
  const forged = new URL(callback)
  forged.searchParams.set('razorpay_signature', 'a'.repeat(64))
  const invented = new URL('/api/payment/link-callback?razorpay_payment_link_status=paid', callback)
  for (const url of [forged, invented]) {
    expect(await followBack(url)).toEqual({
      status: 303,
      pathname: '/subscription/cancel',
      query: { reason: 'verification_failed' },
    })
  }
  expect(await tokensOf(buyer)).toBe(0)
  await razorpay.clearFaults()
})

test('when the order and the payment link are both paid, one grant is made and the other payment refunded', async () => {
  const buyer = await newBuyer(site.worker.url, site.sqld.url)
  const { order, purchaseId } = await buyer.order()
  const link = await orderLink(buyer)
  expect(link.purchaseId).toBe(purchaseId)
  const page = await (await fetch(link.url)).text()
  const [linkOrder = ''] = /order_EMU\w{11}/.exec(page) ?? []
  const [first, second] = await Promise.all([razorpay.pay(order.id), razorpay.pay(linkOrder)])
  await eventually(async () => expect(await tokensOf(buyer)).toBe(1_000_000))
  await eventually(async () => {
    await site.worker.runCron()
    const refunded = await Promise.all([first, second].map(({ paymentId }) => refundsOf(paymentId)))
    expect(refunded.toSorted()).toEqual([0, 3_500])
  })
  expect(await tokensOf(buyer)).toBe(1_000_000)
  expect(await buyer.stateOf(purchaseId)).toMatchObject({ status: 'paid' })
})

test('a payment link is cancelled once its purchase is paid through the order', async () => {
  const buyer = await newBuyer(site.worker.url, site.sqld.url)
  const { order } = await buyer.order()
  const link = await orderLink(buyer)
  await razorpay.pay(order.id)
  await eventually(async () => expect(await (await fetch(link.url)).text()).toContain('Cancelled'))
})

test('a second payment that Razorpay refunds by itself changes nothing', async () => {
  const buyer = await newBuyer(site.worker.url, site.sqld.url)
  const { order, purchaseId } = await buyer.order()
  await razorpay.send('POST', '/scenario', { name: 'second-payment', order_id: order.id })
  await eventually(async () => expect(await tokensOf(buyer)).toBe(1_000_000))
  // The refund was delivered to us; it must not take tokens back.
  const toldOf = async () => {
    const { deliveries } = Deliveries.parse(await razorpay.send('GET', '/webhook/deliveries'))
    const ours = deliveries.filter(
      ({ orderId, state }) => orderId === order.id && state === 'delivered',
    )
    return ours.map(({ event }) => event)
  }
  await eventually(async () => expect(await toldOf()).toContain('refund.processed'))
  expect(await tokensOf(buyer)).toBe(1_000_000)
  expect(await buyer.stateOf(purchaseId)).toMatchObject({ status: 'paid' })
})

test('a partial refund takes back its share of the tokens, a full one the rest', async () => {
  const { buyer, purchaseId, paymentId } = await buyPro()
  await razorpay.send('POST', `/payments/${paymentId}/refund`, { amount: 700 })
  await eventually(async () => expect(await tokensOf(buyer)).toBe(800_000))
  await razorpay.send('POST', `/payments/${paymentId}/refund`, { amount: 2_800 })
  await eventually(async () => expect(await tokensOf(buyer)).toBe(0))
  expect(await buyer.stateOf(purchaseId)).toMatchObject({ status: 'refunded' })
  expect(await buyer.balance()).toMatchObject({ subscription: { status: 'past_due' } })
  const list = await buyer.call('/api/payment/purchases')
  expect(list.body).toMatchObject({
    purchases: [{ purchaseId, status: 'refunded', amountRefunded: 3_500, method: 'card' }],
  })
})

test('a dispute takes the tokens back at once and returns them when it is won', async () => {
  const { buyer, paymentId } = await buyPro()
  await razorpay.send('POST', `/payments/${paymentId}/dispute`, { event: 'created' })
  await eventually(async () => expect(await tokensOf(buyer)).toBe(0))
  await razorpay.send('POST', `/payments/${paymentId}/dispute`, { event: 'won' })
  await eventually(async () => expect(await tokensOf(buyer)).toBe(1_000_000))
})

test('the receipt says what was paid and by whom, and is mailed once', async () => {
  const { buyer, purchaseId, order, paymentId } = await buyPro({ preferredCurrency: 'INR' })
  const answer = await buyer.call(`/api/payment/receipts/${purchaseId}`)
  const { receipt } = Object(answer.body)
  expect(receipt).toMatchObject({
    number: expect.stringMatching(/^R-\d{6}$/),
    purchaseId,
    total: order.amount,
    tax: 0,
    currency: 'INR',
    paymentId,
    amountRefunded: 0,
  })
  const lines: { amount: number }[] = receipt.lines
  expect(lines.reduce((sum, line) => sum + line.amount, 0) + receipt.tax).toBe(receipt.total)
  const mails = await newVisitor(site.worker.url).call('/__local/mail.json')
  const list: { subject: string; to: string; text: string }[] = Object(mails.body)
  const receipts = list.filter(
    (mail) => mail.to === receipt.buyer.email && mail.subject.includes('receipt'),
  )
  expect(receipts).toHaveLength(1)
  expect(receipts[0]?.text).toContain(receipt.number)
  expect(receipts[0]?.text).toContain('INR 2999.00')
  expect(receipts[0]?.text).toContain(`/receipt?id=${purchaseId}`)
})

test('purchases are listed in pages, newest first', async () => {
  const { buyer, purchaseId } = await buyPro()
  for (let pack = 0; pack < 2; pack += 1) {
    const made = await buyer.call('/api/payment/create-token-order', { json: {} })
    const json = await razorpay.pay(String(Object(made.body).order.id))
    await buyer.call('/api/payment/activate-token-purchase', { json })
  }
  const first = await buyer.call('/api/payment/purchases?limit=2')
  const page: { purchases: { purchaseId: string }[]; nextCursor: string } = Object(first.body)
  expect(page.purchases).toHaveLength(2)
  const rest = await buyer.call(`/api/payment/purchases?limit=2&cursor=${page.nextCursor}`)
  expect(rest.body).toMatchObject({ purchases: [{ purchaseId }], nextCursor: null })
})
