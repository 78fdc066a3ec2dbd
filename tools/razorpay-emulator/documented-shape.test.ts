import { expect, test } from 'vitest'
import { createBench } from './bench.ts'
import { requireDocumentedAnswer, requireDocumentedEvent } from './documented-shape.ts'

const asked = { method: 'GET', path: '/orders/order_EMUa1B2c3D4e5F', status: 200 }

test('an answer with a field that is missing, unknown or of another kind is refused', async () => {
  const bench = createBench()
  const { json } = await bench.api('GET', `/orders/${await bench.order()}`)
  requireDocumentedAnswer(asked, json)
  for (const change of [{ amount: '100' }, { amount: undefined }, { colour: 'red' }]) {
    expect(() => {
      requireDocumentedAnswer(asked, { ...Object(json), ...change })
    }).toThrow('is not as documented')
  }
  expect(() => {
    requireDocumentedAnswer({ ...asked, path: '/settlements' }, json)
  }).toThrow('Razorpay documents no GET /settlements')
})

test('an event that names other entities than it contains is refused', async () => {
  const bench = createBench()
  await bench.pay(await bench.order())
  await bench.deliver()
  const event: unknown = JSON.parse(bench.received[0]?.body ?? '')
  requireDocumentedEvent(event)
  for (const change of [{ contains: ['order'] }, { event: 'payment.dispute.reopened' }]) {
    expect(() => {
      requireDocumentedEvent({ ...Object(event), ...change })
    }).toThrow()
  }
})
