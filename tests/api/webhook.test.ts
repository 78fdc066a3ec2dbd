import { expect, inject, test } from 'vitest'
import { dumpDatabase } from '../harness/stored.ts'
import { providerId } from '../harness/fixture/purchase.ts'
import { paymentEvent, type Sending, sendWebhook } from '../harness/fixture/razorpay.ts'

// edge-api/domain/purchase tests what an event does to a purchase; these tests are about which events are accepted.

const send = (body: string, sending?: Sending) => sendWebhook(inject('siteUrl'), body, sending)
const captured = (id: string) =>
  paymentEvent('payment.captured', { id, order_id: providerId('order') })

test('a webhook without a valid signature is rejected before it is parsed and stores nothing', async () => {
  const paymentId = providerId('pay')
  const wrong: Sending[] = [
    { signature: null },
    { signature: '' },
    { signature: 'z'.repeat(64) },
    { signature: 'a'.repeat(63) },
    { signature: `${'a'.repeat(64)}, ${'a'.repeat(64)}` },
    { secret: 'emu_key_secret_0001' },
    { secret: 'another-secret-entirely' },
  ]
  for (const sending of wrong) {
    expect(await send(captured(paymentId), sending)).toMatchObject({
      status: 400,
      body: { code: 'SIGNATURE_INVALID' },
    })
  }
  expect((await send('not json at all', { signature: 'a'.repeat(64) })).status).toBe(400)
  expect(await dumpDatabase()).not.toContain(paymentId)
})

test('unknown events, unknown orders and signed nonsense are answered 200', async () => {
  for (const body of [
    JSON.stringify({ event: 'invoice.paid', payload: { invoice: { entity: {} } } }),
    captured(providerId('pay')),
    '{"event":"payment.captured","payload":{"payment":{"entity":{"id":1}}}}',
    '"a string"',
    'genuine, but no JSON',
  ]) {
    expect((await send(body)).status).toBe(200)
  }
})

test('a body over 256 KiB is rejected', async () => {
  const answer = await send(JSON.stringify({ event: 'x', padding: 'x'.repeat(300_000) }))
  expect(answer).toMatchObject({ status: 413, body: { code: 'BODY_TOO_LARGE' } })
})
