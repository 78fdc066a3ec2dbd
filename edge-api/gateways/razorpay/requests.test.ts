import { expect, test } from 'vitest'
import { type Answer, answeringRazorpay, type Asked } from '#harness/fixture/answering-razorpay.ts'

const ORDER = 'order_EMUa1B2c3D4e5F'
const LINK = 'plink_EMUa1B2c3D4e5F'
const PAYMENT = 'pay_EMUa1B2c3D4e5F'
const SINCE = 1_790_000_000

/** What we ask for, and what Razorpay makes of it. */
const request = {
  ...{ purchaseId: 'pur_00000000000000000000000000', amountMinor: 3_500, currency: 'USD' as const },
  ...{ description: 'Pro', callbackUrl: 'http://localhost:8787/api/payment/link-callback' },
  expiresAt: SINCE * 1_000 + 999,
}
const money = { amount: 3_500, currency: 'USD', created_at: SINCE }
const order = { ...money, id: ORDER, receipt: request.purchaseId }
const link = {
  ...{ ...money, id: LINK, reference_id: request.purchaseId },
  ...{ short_url: 'http://127.0.0.1:9/l/abc', expire_by: SINCE },
}
const opened = { linkId: LINK, url: link.short_url, expiresAt: SINCE * 1_000 }
const another = {
  order: { ...order, id: 'order_EMUzzzzzzzzzzz', receipt: 'pur_another' },
  link: { ...link, id: 'plink_EMUzzzzzzzzzzz', reference_id: 'pur_another' },
}
const payment = {
  ...{ ...money, id: PAYMENT, entity: 'payment', order_id: ORDER },
  ...{ status: 'captured', captured: true },
}
const refund = {
  ...{ ...money, id: 'rfnd_EMUa1B2c3D4e5F', payment_id: PAYMENT, status: 'reversed' },
}
const dispute = { ...refund, id: 'disp_EMUa1B2c3D4e5F', status: 'open', phase: 'chargeback' }

const rejection = (description: string, metadata = {}): Answer => ({
  status: 400,
  body: { error: { code: 'BAD_REQUEST_ERROR', description, metadata } },
})
const repeated = (metadata = {}) => rejection('Order receipt should be unique', metadata)
const taken = rejection('payment link creation with reference ID already attempted')

interface There {
  listed?: unknown[]
  known?: unknown
}

/** Creates an order or a link at a Razorpay that answers the creation like this, lists these, and knows one by its id. */
async function create(what: 'order' | 'link', answer: Answer | null, there: There = {}) {
  const { listed = [], known } = there
  const { gateway, asked } = answeringRazorpay(({ method, path }) => {
    if (method === 'POST') return answer
    const isList = path === '/v1/orders' || path === '/v1/payment_links'
    return { body: isList ? { items: listed, payment_links: listed } : known }
  })
  const creating = what === 'order' ? gateway.createOrder(request) : gateway.createLink(request)
  return { created: await creating.catch((error: unknown) => error), asked }
}

test('when an account rejects unique_receipt, the order is created without it', async () => {
  const answer = ({ body }: Asked): Answer =>
    'unique_receipt' in Object(body)
      ? rejection('unique_receipt is/are not required and should not be sent')
      : { body: { ...order, ...Object(body) } }
  const { gateway, asked } = answeringRazorpay(answer)
  expect(await gateway.createOrder(request)).toBe(ORDER)
  const windows = { automatic_expiry_period: 7_200, manual_expiry_period: 7_200 }
  const body = { payment: { capture: 'automatic', capture_options: windows } }
  expect(asked).toMatchObject([{ body }, { body }])
})

test('a link is created with its end in whole seconds, once', async () => {
  const { created, asked } = await create('link', { body: link })
  expect(created).toEqual(opened)
  const body = { expire_by: SINCE, accept_partial: false }
  expect(asked).toMatchObject([{ path: '/v1/payment_links', body }])
})

test.each([
  [
    'order',
    order,
    [{ amount: 3_400 }, { currency: 'INR' }, { receipt: 'pur_another' }, { id: 'order_x' }],
  ],
  ['link', link, [{ amount: 3_400 }, { currency: 'INR' }, { expire_by: null }]],
] as const)('another %s than was asked for is rejected', async (what, made, differences) => {
  for (const other of differences) {
    const { created, asked } = await create(what, { body: { ...made, ...other } })
    expect(created).toMatchObject({ name: 'GatewayRejected' })
    expect(asked).toHaveLength(1)
  }
})

test.each(['order', 'link'] as const)(
  'an %s that is rejected for another reason is not looked for',
  async (what) => {
    const there = { listed: [order, link] }
    const { created, asked } = await create(what, rejection('The amount is too small'), there)
    expect(created).toMatchObject({ name: 'GatewayRejected', reason: 'BAD_REQUEST_ERROR' })
    expect(asked).toHaveLength(1)
  },
)

test('when a receipt is repeated, the order named in the rejection is used, if it has that receipt', async () => {
  const naming = async (id: string, known: unknown) =>
    (await create('order', repeated({ order_id: id }), { known })).created
  expect(await naming(ORDER, order)).toBe(ORDER)
  const other = await naming(another.order.id, another.order)
  expect(other).toMatchObject({ name: 'GatewayRejected', reason: 'order_differs' })
  const { created } = await create('order', repeated())
  expect(created).toMatchObject({ name: 'GatewayRejected', reason: 'BAD_REQUEST_ERROR' })
})

test('a link whose answer was lost, or whose reference is taken, is the one of this purchase', async () => {
  for (const [answer, name] of [
    [null, 'GatewayUnavailable'],
    [taken, 'GatewayRejected'],
  ] as const) {
    const found = await create('link', answer, { listed: [another.link, link] })
    expect(found.created).toEqual(opened)
    const none = await create('link', answer, { listed: [another.link] })
    expect(none.created).toMatchObject({ name })
  }
})

test('the receipt of an order is read; an order of another site may have none', async () => {
  const read = (receipt: string | null) =>
    answeringRazorpay(() => ({ body: { ...order, receipt } })).gateway.fetchReceipt(ORDER)
  expect(await read(request.purchaseId)).toBe(request.purchaseId)
  expect(await read(null)).toBeNull()
})

test('each payment of a link is asked about by its id, and a link is cancelled by its own', async () => {
  const { gateway, asked } = answeringRazorpay(({ path }) => ({
    body: path.endsWith(PAYMENT) ? payment : { ...link, payments: [{ payment_id: PAYMENT }] },
  }))
  expect(await gateway.linkPayments(LINK)).toMatchObject([
    { paymentId: PAYMENT, razorpayOrderId: ORDER, status: 'captured' },
  ])
  await gateway.cancelLink(LINK)
  expect(asked.at(-1)).toMatchObject({ method: 'POST', path: `/v1/payment_links/${LINK}/cancel` })
})

test('a failed capture returns the payment if it is captured all the same, and throws otherwise', async () => {
  const capture = (status: string) =>
    answeringRazorpay(({ method }) =>
      method === 'POST' ? rejection('') : { body: { ...payment, status } },
    ).gateway.capture({ paymentId: PAYMENT, amountMinor: 3_500, currency: 'USD' })
  expect(await capture('captured')).toMatchObject({ paymentId: PAYMENT, status: 'captured' })
  await expect(capture('authorized')).rejects.toMatchObject({ name: 'GatewayRejected' })
})

test('a refund is sent under its key and amount', async () => {
  const { gateway, asked } = answeringRazorpay(() => ({ body: { ...refund, status: 'pending' } }))
  await gateway.refund({ paymentId: PAYMENT, amountMinor: 500, key: 'excess-1234' })
  expect(asked).toMatchObject([
    {
      path: `/v1/payments/${PAYMENT}/refund`,
      headers: { 'x-refund-idempotency': 'excess-1234-500' },
      body: { amount: 500, speed: 'normal' },
    },
  ])
})

const began = (created_at: number) => ({ ...dispute, created_at })
const times = (count: number, item: unknown) => Array.from({ length: count }, () => item)

/** Razorpay with these pages, and nothing after them. */
function listing(...pages: unknown[][]) {
  const left = [...pages]
  return answeringRazorpay(() => ({ body: { items: left.shift() ?? [] } }))
}

test('an entry of unknown shape is left out of a list with an alert, and the others are read', async () => {
  const items = [{ ...payment, id: 'pay_EMUunknown0001', status: 'on_the_moon' }, null, payment]
  const { gateway, alerts } = listing(items)
  const payments = await gateway.paymentsOfOrder(ORDER)
  expect(payments.map(({ paymentId }) => paymentId)).toEqual([PAYMENT])
  const event = 'the payment provider listed something unknown'
  expect(alerts).toEqual([
    { event, fields: { entity: 'payment', id: 'pay_EMUunknown0001', status: 'on_the_moon' } },
    { event, fields: { entity: 'unknown', id: 'unknown', status: 'unknown' } },
  ])
})

test('a payment on delivery is not paid, and a refund that came back did not happen', async () => {
  const pending = { ...payment, status: 'pending', captured: null }
  const [fact] = await listing([pending]).gateway.paymentsOfOrder(ORDER)
  expect(fact).toMatchObject({ status: 'created', amountRefundedMinor: 0 })
  const { gateway, asked } = listing([refund])
  expect(await gateway.refundsOfPayment(PAYMENT)).toMatchObject([{ state: 'failed' }])
  expect(asked).toMatchObject([{ query: { count: '100' } }])
})

test('a payment without an order is not ours: lists leave it out, and a single one is rejected', async () => {
  const foreign = { ...payment, order_id: null }
  const { items } = await listing([foreign, payment]).gateway.paymentsBetween(0, 1)
  expect(items).toHaveLength(1)
  const ofOrder = listing([foreign, payment]).gateway.paymentsOfOrder(ORDER)
  expect(await ofOrder).toHaveLength(1)
  const alone = answeringRazorpay(() => ({ body: foreign })).gateway.fetchPayment(PAYMENT)
  await expect(alone).rejects.toMatchObject({ name: 'GatewayRejected', reason: 'no_order' })
})

test('a list is read page by page until one is not full', async () => {
  const { gateway, asked } = listing(times(100, refund), times(99, refund))
  const { items, isWhole } = await gateway.refundsBetween(1_000_999, 2_000_000)
  expect([items.length, isWhole]).toEqual([199, true])
  const span = { from: '1000', to: '2000', count: '100' }
  expect(asked.map(({ query }) => query)).toEqual([
    { ...span, skip: '0' },
    { ...span, skip: '100' },
  ])
})

test('a page with an entry of unknown shape still counts as full', async () => {
  const { gateway } = listing([null, ...times(99, refund)], [refund])
  expect((await gateway.refundsBetween(0, 1)).items).toHaveLength(100)
})

test('after a thousand entries a list ends and says that it is incomplete', async () => {
  const { gateway, asked } = listing(...Array.from({ length: 20 }, () => times(100, refund)))
  const { items, isWhole } = await gateway.refundsBetween(0, 1)
  expect([items.length, isWhole, asked.length]).toEqual([1_000, false, 10])
})

test('disputes are read until a page holds one that began earlier, which is left out', async () => {
  const full = times(100, began(SINCE))
  const last = [...times(99, began(SINCE)), began(SINCE - 1)]
  const { gateway, asked } = listing(full, last, full)
  const { items, isWhole } = await gateway.disputesSince(SINCE * 1_000 + 999)
  expect([items.length, isWhole, asked.length]).toEqual([199, true, 2])
  expect(items.every(({ beganAt }) => beganAt === SINCE * 1_000)).toBe(true)
})
