import { expect, test } from 'vitest'
import {
  type Answer,
  answeringRazorpay,
} from '../../../tests/harness/fixture/answering-razorpay.ts'

const LINK = 'plink_EMUa1B2c3D4e5F'
const PAYMENT = 'pay_EMUa1B2c3D4e5F'
const request = {
  purchaseId: 'pur_00000000000000000000000000',
  amountMinor: 3_500,
  currency: 'USD',
  description: 'Pro',
  callbackUrl: 'http://localhost:8787/api/payment/link-callback',
  expiresAt: 1_790_000_000_999,
} as const
const link = {
  id: LINK,
  short_url: 'http://127.0.0.1:9/l/abc',
  amount: 3_500,
  currency: 'USD',
  reference_id: request.purchaseId,
  expire_by: 1_790_000_000,
  created_at: 1_780_000_000,
}
const another = { ...link, id: 'plink_EMUzzzzzzzzzzz', reference_id: 'pur_another' }
const opened = { linkId: LINK, url: link.short_url, expiresAt: 1_790_000_000_000 }

const rejection = (description: string): Answer => ({
  status: 400,
  body: { error: { code: 'BAD_REQUEST_ERROR', description } },
})

/** Creates the link at a Razorpay that answers the creation like this and lists these links. */
async function create(answer: Answer | null, listed: unknown[] = []) {
  const { gateway, asked } = answeringRazorpay(({ method }) =>
    method === 'POST' ? answer : { body: { payment_links: listed } },
  )
  const created = await gateway.createLink(request).catch((error: unknown) => error)
  return { created, asked }
}

test('a link is created with its end in whole seconds, once', async () => {
  const { created, asked } = await create({ body: link })
  expect(created).toEqual(opened)
  expect(asked).toMatchObject([
    { path: '/v1/payment_links', body: { expire_by: 1_790_000_000, accept_partial: false } },
  ])
})

test('a link whose answer was lost, or whose reference is taken, is the one of this purchase', async () => {
  const taken = rejection('payment link creation with reference ID already attempted')
  for (const answer of [null, taken]) {
    expect((await create(answer, [another, link])).created).toEqual(opened)
    const none = await create(answer, [another])
    const name = answer === null ? 'GatewayUnavailable' : 'GatewayRejected'
    expect(none.created).toMatchObject({ name })
  }
})

test('a link that is rejected for another reason is not looked for', async () => {
  const { created, asked } = await create(rejection('The amount is too small'), [link])
  expect(created).toMatchObject({ name: 'GatewayRejected', reason: 'BAD_REQUEST_ERROR' })
  expect(asked).toHaveLength(1)
})

test('a link of another amount or currency, or without an end, is rejected', async () => {
  for (const other of [{ amount: 3_400 }, { currency: 'INR' }, { expire_by: null }]) {
    const { created } = await create({ body: { ...link, ...other } })
    expect(created).toMatchObject({ name: 'GatewayRejected', reason: 'link_differs' })
  }
})

test('each payment of a link is asked about by its id', async () => {
  const payment = { order_id: 'order_EMUa1B2c3D4e5F', amount: 3_500, currency: 'USD' }
  const { gateway } = answeringRazorpay(({ path }) => ({
    body: path.endsWith(LINK)
      ? { ...link, payments: [{ payment_id: PAYMENT }] }
      : { ...payment, id: path.split('/').at(-1), status: 'captured', captured: true },
  }))
  expect(await gateway.linkPayments(LINK)).toMatchObject([
    { paymentId: PAYMENT, razorpayOrderId: 'order_EMUa1B2c3D4e5F', status: 'captured' },
  ])
})

test('a link is cancelled by its id', async () => {
  const { gateway, asked } = answeringRazorpay(() => ({ body: link }))
  await gateway.cancelLink(LINK)
  expect(asked).toMatchObject([{ method: 'POST', path: `/v1/payment_links/${LINK}/cancel` }])
})
