import { expect, test } from 'vitest'
import { at, createBench } from '../bench.ts'
import { defaults } from '../defaults.ts'
import { sign } from '../signature.ts'

type Json = Record<string, unknown>

/** Pays one order under a webhook fault that strikes every event it matches. */
async function payUnder(action: Json, match: Json = {}, seconds = 5) {
  const bench = createBench()
  await bench.fault(action, { match, times: null })
  await bench.pay(await bench.order())
  await bench.deliver(seconds)
  return bench
}

const captured = { event: 'payment.captured' }

test('events may be lost', async () => {
  expect((await payUnder({ type: 'lost' })).events()).toEqual([])
  const one = await payUnder({ type: 'lost' }, captured)
  expect(one.events()).toEqual(['payment.authorized', 'order.paid'])
})

test('events may be late', async () => {
  const bench = await payUnder({ type: 'delay_delivery', seconds: 60 }, captured)
  expect(bench.events()).not.toContain('payment.captured')
  await bench.deliver(60)
  expect(bench.events()).toContain('payment.captured')
})

test('events may come several times, with one id or several', async () => {
  const same = (await payUnder({ type: 'duplicate', n: 16 }, captured)).received.filter(
    (one) => one.event === 'payment.captured',
  )
  expect(same).toHaveLength(16)
  expect(new Set(same.map((one) => one.eventId)).size).toBe(1)
  const other = (await payUnder({ type: 'duplicate_new_id', n: 3 }, captured)).received.filter(
    (one) => one.event === 'payment.captured',
  )
  expect(new Set(other.map((one) => one.eventId)).size).toBe(3)
})

test('events may come in any order', async () => {
  const order = ['order.paid', 'payment.authorized', 'payment.captured']
  expect((await payUnder({ type: 'reorder', order })).events()).toEqual(order)
})

test('events may be there before the handler is called, or well after', async () => {
  const bench = createBench()
  await bench.fault({ type: 'before_handler' }, { times: null })
  const claim = { key: defaults.keyId, order_id: await bench.order() }
  const instrument = { method: 'upi', vpa: 'success@razorpay', flow: 'collect' }
  await bench.browser('/checkout/api/pay', { ...claim, instrument })
  expect(bench.events()).toContain('order.paid')
  const late = await payUnder({ type: 'after_handler', ms: 9000 })
  expect(late.events()).toEqual([])
  await late.deliver()
  expect(late.events()).toHaveLength(3)
})

test('events may be signed wrongly or with the secret of before', async () => {
  for (const type of ['bad_signature', 'old_secret']) {
    const [first] = (await payUnder({ type })).received
    expect(first?.signature).toMatch(/^[0-9a-f]{64}$/)
    expect(first?.signature).not.toBe(sign(first?.body ?? '', defaults.webhookSecret))
  }
})

test('re-encoded bodies are signed as they are sent', async () => {
  for (const style of ['pretty', 'slashes', 'unicode']) {
    const [first] = (await payUnder({ type: 'reencode', style })).received
    expect(first?.signature).toBe(sign(first?.body ?? '', defaults.webhookSecret))
  }
})

test('events may have no id, be unknown, or be huge', async () => {
  const [first] = (await payUnder({ type: 'missing_event_id' })).received
  expect(first?.eventId).toBeNull()
  expect((await payUnder({ type: 'unknown_event' }, captured)).events()).toEqual(
    expect.arrayContaining(['payment.emulator_unknown', 'payment.captured']),
  )
  const [huge] = (await payUnder({ type: 'huge', kilobytes: 300 })).received
  expect(huge?.body.length).toBeGreaterThan(300 * 1024)
})

test('the endpoint may be switched off', async () => {
  const bench = await payUnder({ type: 'disabled' })
  expect(bench.events()).toEqual([])
  const { json } = await bench.control('GET', '/webhook/deliveries')
  expect(at(json, 'endpoint.disabled')).toBe(true)
})
