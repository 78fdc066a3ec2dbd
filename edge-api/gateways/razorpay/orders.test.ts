import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { testSecrets } from '../../../tests/harness/services.ts'
import type { PaymentGateway } from '../../domain/ports/payments.ts'
import { razorpayGateway } from './razorpay-gateway.ts'
import { resolveRazorpay } from './resolve-razorpay.ts'

interface Answer {
  status: number
  body: unknown
}

/** Runs `work` with a gateway whose Razorpay gives answers that the emulator never gives. */
async function withAnswers(
  answer: (body: string) => Answer,
  work: (gateway: PaymentGateway, alerts: unknown[]) => Promise<void>,
): Promise<void> {
  const server = createServer((request, response) => {
    void text(request).then((sent) => {
      const { status, body } = answer(sent)
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const settings = resolveRazorpay({
    ENVIRONMENT: 'test',
    ...testSecrets,
    RAZORPAY_BASE_URL: `http://127.0.0.1:${port}`,
    RAZORPAY_CHECKOUT_URL: `http://127.0.0.1:${port}/checkout.js`,
  })
  const sleep = () => Promise.resolve()
  const pacing = { now: Date.now, sleep, jitter: () => 0, timeoutMs: 2_000 }
  const alerts: unknown[] = []
  const log = { alert: (event: string, fields = {}) => alerts.push({ event, fields }) }
  try {
    await work(razorpayGateway(settings, pacing, log), alerts)
  } finally {
    server.close()
  }
}

test('when an account rejects unique_receipt, the order is created without it', async () => {
  const bodies: unknown[] = []
  const answer = (body: string): Answer => {
    const order = Object(JSON.parse(body))
    bodies.push(order)
    const description = 'unique_receipt is/are not required and should not be sent'
    return 'unique_receipt' in order
      ? { status: 400, body: { error: { code: 'BAD_REQUEST_ERROR', description } } }
      : { status: 200, body: { id: 'order_EMUa1B2c3D4e5F', ...order } }
  }
  await withAnswers(answer, async (gateway) => {
    const orderId = await gateway.createOrder({
      purchaseId: 'pur_00000000000000000000000000',
      amountMinor: 3_500,
      currency: 'USD',
    })
    expect(orderId).toBe('order_EMUa1B2c3D4e5F')
    expect(bodies).toHaveLength(2)
  })
})

test('an entry of unknown shape is left out of a list with an alert, and the others are read', async () => {
  const known = {
    id: 'pay_EMUa1B2c3D4e5F',
    entity: 'payment',
    order_id: 'order_EMUa1B2c3D4e5F',
    amount: 3_500,
    currency: 'USD',
    status: 'captured',
    captured: true,
  }
  const items = [{ ...known, id: 'pay_EMUunknown0001', status: 'on_the_moon' }, null, known]
  const answer = () => ({ status: 200, body: { items } })
  await withAnswers(answer, async (gateway, alerts) => {
    const payments = await gateway.paymentsOfOrder('order_EMUa1B2c3D4e5F')
    expect(payments.map(({ paymentId }) => paymentId)).toEqual([known.id])
    const event = 'the payment provider listed something unknown'
    expect(alerts).toEqual([
      { event, fields: { entity: 'payment', id: 'pay_EMUunknown0001', status: 'on_the_moon' } },
      { event, fields: { entity: 'unknown', id: 'unknown', status: 'unknown' } },
    ])
  })
})

test('a payment on delivery is not paid, and a refund that came back did not happen', async () => {
  const payment = { order_id: 'order_EMUa1B2c3D4e5F', amount: 3_500, currency: 'USD' }
  const refund = { id: 'rfnd_EMUa1B2c3D4e5F', payment_id: 'pay_EMUa1B2c3D4e5F', created_at: 1 }
  const items = [{ ...payment, id: 'pay_EMUa1B2c3D4e5F', status: 'pending' }]
  const refunds = [{ ...refund, amount: 3_500, currency: 'USD', status: 'reversed' }]
  await withAnswers(
    () => ({ status: 200, body: { items } }),
    async (gateway) => {
      const [fact] = await gateway.paymentsOfOrder('order_EMUa1B2c3D4e5F')
      expect(fact).toMatchObject({ status: 'created' })
    },
  )
  await withAnswers(
    () => ({ status: 200, body: { items: refunds } }),
    async (gateway) => {
      const [fact] = await gateway.refundsOfPayment('pay_EMUa1B2c3D4e5F')
      expect(fact).toMatchObject({ state: 'undone' })
    },
  )
})
