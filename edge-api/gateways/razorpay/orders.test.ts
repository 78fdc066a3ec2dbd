import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { testSecrets } from '../../../tests/harness/services.ts'
import { razorpayGateway } from './razorpay-gateway.ts'
import { resolveRazorpay } from './resolve-razorpay.ts'

test('when an account rejects unique_receipt, the order is created without it', async () => {
  const bodies: unknown[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const order = Object(JSON.parse(body))
      bodies.push(order)
      const isRefused = 'unique_receipt' in order
      const description = 'unique_receipt is/are not required and should not be sent'
      response.writeHead(isRefused ? 400 : 200, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify(
          isRefused
            ? { error: { code: 'BAD_REQUEST_ERROR', description } }
            : { id: 'order_EMUa1B2c3D4e5F', ...order },
        ),
      )
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
  const pacing = { sleep: () => Promise.resolve(), jitter: () => 0, timeoutMs: 2_000 }
  try {
    const orderId = await razorpayGateway(settings, pacing, { alert: () => undefined }).createOrder(
      {
        purchaseId: 'pur_00000000000000000000000000',
        amountMinor: 3_500,
        currency: 'USD',
      },
    )
    expect(orderId).toBe('order_EMUa1B2c3D4e5F')
    expect(bodies).toHaveLength(2)
  } finally {
    server.close()
  }
})
