import { expect, test } from 'vitest'
import {
  type Answer,
  answeringRazorpay,
  type Asked,
} from '../../../tests/harness/fixture/answering-razorpay.ts'

const ORDER = 'order_EMUa1B2c3D4e5F'
const OTHER = 'order_EMUzzzzzzzzzzz'
const request = {
  purchaseId: 'pur_00000000000000000000000000',
  amountMinor: 3_500,
  currency: 'USD',
} as const
const order = {
  ...{ id: ORDER, amount: 3_500, currency: 'USD', receipt: request.purchaseId },
  created_at: 1_790_000_000,
}

const rejection = (description: string, metadata = {}): Answer => ({
  status: 400,
  body: { error: { code: 'BAD_REQUEST_ERROR', description, metadata } },
})
const repeated = (metadata = {}) => rejection('Order receipt should be unique', metadata)

/** Creates the order at a Razorpay that answers the creation like this, lists these orders, and knows one by its id. */
async function create(
  answer: Answer,
  { listed = [], known }: { listed?: unknown[]; known?: unknown },
) {
  const opened = answeringRazorpay(({ method, path }) => {
    if (method === 'POST') return answer
    return { body: path === '/v1/orders' ? { items: listed } : known }
  })
  const created = await opened.gateway.createOrder(request).catch((error: unknown) => error)
  return { created, ...opened }
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

test('an order of another amount or currency, or without an id of this mode, is rejected', async () => {
  for (const other of [{ amount: 3_400 }, { currency: 'INR' }, { id: 'order_x' }]) {
    const { created, asked } = await create({ body: { ...order, ...other } }, {})
    expect(created).toMatchObject({ name: 'GatewayRejected' })
    expect(asked).toHaveLength(1)
  }
})

test('an order that is rejected for another reason is not looked for', async () => {
  const { created, asked } = await create(rejection('The amount is too small'), { listed: [order] })
  expect(created).toMatchObject({ name: 'GatewayRejected', reason: 'BAD_REQUEST_ERROR' })
  expect(asked).toHaveLength(1)
})

test('when a receipt is repeated, the order named in the rejection is used, although the lists lag behind', async () => {
  const { created } = await create(repeated({ order_id: ORDER }), { known: order })
  expect(created).toBe(ORDER)
})

test('a rejection that names no order, or one of another receipt, leads to the list', async () => {
  const other = { ...order, id: OTHER, receipt: 'pur_another' }
  const listed = [other, order]
  expect((await create(repeated(), { listed })).created).toBe(ORDER)
  const named = await create(repeated({ order_id: OTHER }), { known: other, listed })
  expect(named.created).toBe(ORDER)
  const none = await create(repeated(), { listed: [other] })
  expect(none.created).toMatchObject({ name: 'GatewayRejected', reason: 'BAD_REQUEST_ERROR' })
})

test('the receipt of an order is read; an order of another site may have none', async () => {
  const read = (receipt: string | null) =>
    answeringRazorpay(() => ({ body: { ...order, receipt } })).gateway.fetchReceipt(ORDER)
  expect(await read(request.purchaseId)).toBe(request.purchaseId)
  expect(await read(null)).toBeNull()
})
