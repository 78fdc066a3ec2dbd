import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { isCheckoutSignature, isLinkSignature, isWebhookSignature } from './razorpay-gateway.ts'

const KEY = 'emu_key_secret_0001'
const HOOK = 'emu_webhook_secret_0001'
const order = { orderId: 'order_EMUa1B2c3D4e5F', paymentId: 'pay_EMUp7Q8r9S0t1U' }
const orderSignature = '1b616f94be284f5bdd9cbc9912ccc588f588c8c917eefcf7bb337e5170b6ac5e'
const body =
  '{"entity":"event","account_id":"acc_EMUacct0000001","event":"payment.captured","contains":["payment"],"payload":{"payment":{"entity":{"id":"pay_EMUp7Q8r9S0t1U","entity":"payment","amount":49900,"currency":"INR","status":"captured","order_id":"order_EMUa1B2c3D4e5F"}}},"created_at":1790000002}'
const bodySignature = '8053407a7175c61afb4f2a9398039f8825d70dbe461c3e518874288d863f9317'

const bytes = (text: string) => new TextEncoder().encode(text)
const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex')

test('the published vectors verify', async () => {
  expect(await isCheckoutSignature(KEY, { ...order, signature: orderSignature })).toBe(true)
  expect(await isWebhookSignature([HOOK], bytes(body), bodySignature)).toBe(true)
  const link = {
    paymentLinkId: 'plink_EMUx2Y3z4A5b6C',
    referenceId: 'prc_01EMU0000000000000000000A',
    linkStatus: 'paid',
    paymentId: 'pay_EMUp7Q8r9S0t1U',
    signature: 'add817542e81c0c9d544909fd0890fa29d4f5dccb84ba085daee9790c0e8cb0d',
  }
  expect(await isLinkSignature(KEY, link)).toBe(true)
  expect(await isLinkSignature(KEY, { ...link, linkStatus: 'created' })).toBe(false)
})

test('the reversed formula that subscriptions use does not verify', async () => {
  const signature = '30adc902d929d3234a2a2c171f5d0626bbbc47d96142ce05a42bd375b5c037f6'
  const parts = { orderId: 'sub_EMUs1U2b3S4c5R', paymentId: 'pay_EMUp7Q8r9S0t1U' }
  expect(await isCheckoutSignature(KEY, { ...parts, signature })).toBe(false)
})

test('a signature of another order, in upper case, of a wrong length or not in hex does not verify', async () => {
  const wrong = [
    { ...order, orderId: 'order_EMUzzzzzzzzzzz', signature: orderSignature },
    { ...order, signature: orderSignature.toUpperCase() },
    { ...order, signature: orderSignature.slice(0, 62) },
    { ...order, signature: `${orderSignature}00` },
    { ...order, signature: 'g'.repeat(64) },
    { ...order, signature: '' },
  ]
  for (const parts of wrong) expect(await isCheckoutSignature(KEY, parts)).toBe(false)
})

test('a signature by either of two webhook secrets verifies, one by a third does not', async () => {
  const old = hmac('the-secret-before-1', body)
  expect(await isWebhookSignature([HOOK, 'the-secret-before-1'], bytes(body), old)).toBe(true)
  expect(await isWebhookSignature([HOOK], bytes(body), old)).toBe(false)
})

test('a body with one changed byte, or one that is not text, does not verify', async () => {
  expect(await isWebhookSignature([HOOK], bytes(`${body} `), bodySignature)).toBe(false)
  const raw = Uint8Array.from([0xff, 0xfe, 0x00, 0x80])
  const signature = createHmac('sha256', HOOK).update(raw).digest('hex')
  expect(await isWebhookSignature([HOOK], raw, signature)).toBe(true)
})

test('nothing verifies with an empty secret', async () => {
  await expect(isWebhookSignature([''], bytes(body), hmac('', body))).rejects.toThrow()
})
