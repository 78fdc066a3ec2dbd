import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startEmulator, testSecrets, type Emulator } from '#harness/services.ts'
import { notePauses } from '#harness/fixture/answering-razorpay.ts'
import { controlOf, type RazorpayControl } from '#harness/fixture/razorpay.ts'
import type { PaymentGateway } from '../../domain/ports/payments.ts'
import { gatewayToEmulator } from '../../../tools/ops/gateway-to-emulator.ts'

let emulator: Emulator
let control: RazorpayControl
let gateway: PaymentGateway

beforeAll(async () => {
  emulator = await startEmulator({ webhookUrl: 'http://127.0.0.1:9/none' })
  control = controlOf(emulator.url)
})
afterAll(() => emulator.stop())

beforeEach(async () => {
  await control.clearFaults()
  gateway = open()
})

function open(timeoutMs = 60_000) {
  return gatewayToEmulator(emulator.url, testSecrets, { sleep: notePauses([]), timeoutMs })
}

function newRequest() {
  const purchaseId = `pur_${crypto.randomUUID().replaceAll('-', '').slice(0, 26)}`
  return { purchaseId, amountMinor: 3_500, currency: 'USD' as const }
}

test('an order is created once, also when its answer is lost', async () => {
  const request = newRequest()
  const match = { method: 'POST', path: '/v1/orders' }
  await control.fault({ match, action: { type: 'commit_then_reset' } })
  const orderId = await gateway.createOrder(request)
  expect(orderId).toMatch(/^order_EMU/)
  expect(await gateway.createOrder(request)).toBe(orderId)
})

const wireFaults: [string, Record<string, unknown>][] = [
  ['a hanging server', { type: 'hang' }],
  ['a truncated answer', { type: 'truncated_json' }],
  ['a body that does not end', { type: 'slow_body', ms: 60_000 }],
]

test.each(wireFaults)('%s counts as an outage', async (_case, action) => {
  const match = { path: '/v1/orders' }
  await control.fault({ match, action, times: null })
  await expect(open(500).createOrder(newRequest())).rejects.toMatchObject({
    name: 'GatewayUnavailable',
  })
})

test('a malformed id is never sent', async () => {
  const bad = ['x/../../settlements?count=100#', 'pay_', 'order_EMUa1B2c3D4e5F/payments', '']
  const sent = async () =>
    (await control.requests()).filter(({ path }) => path.startsWith('/v1')).length
  const before = await sent()
  for (const id of bad) {
    await expect(gateway.fetchPayment(id)).rejects.toMatchObject({ name: 'GatewayRejected' })
    await expect(gateway.paymentsOfOrder(id)).rejects.toMatchObject({ name: 'GatewayRejected' })
  }
  expect(await sent()).toBe(before)
})
