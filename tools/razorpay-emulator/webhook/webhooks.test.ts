import { expect, test } from 'vitest'
import { at, createBench, textAt } from '../bench.ts'
import { defaults } from '../defaults.ts'
import { sign } from '../signature.ts'
import { State } from '../state/state.ts'
import { retryLadderSeconds } from './deliver.ts'
import { reencode } from './reencode.ts'

test('a captured payment is told in three events, signed over their bytes', async () => {
  const bench = createBench()
  await bench.pay(await bench.order())
  expect(bench.received).toHaveLength(0)
  await bench.deliver(1)
  expect(bench.events()).toEqual(['payment.authorized', 'payment.captured', 'order.paid'])
  for (const { body, signature, eventId } of bench.received) {
    expect(signature).toBe(sign(body, defaults.webhookSecret))
    expect(eventId).toMatch(/^EMU[A-Za-z0-9]{11}$/)
    expect(Object.keys(JSON.parse(body))).not.toContain('id')
  }
})

test('an event holds a snapshot of the time it happened', async () => {
  const bench = createBench()
  await bench.pay(await bench.order())
  await bench.deliver()
  const [authorized, , paid] = bench.received.map((one): unknown => JSON.parse(one.body))
  expect(at(authorized, 'payload.payment.entity.status')).toBe('authorized')
  expect(at(paid, 'contains')).toEqual(['payment', 'order'])
  expect(at(paid, 'payload.order.entity')).toMatchObject({ status: 'paid', amount_due: 0 })
})

async function attemptTimes(status: number) {
  const bench = createBench()
  bench.endpoint.status = status
  await bench.pay(await bench.order(), { outcome: 'authorize_only' })
  await bench.emulator.advance(24 * 3600)
  const { json } = await bench.control('GET', '/webhook/deliveries')
  const attempts = at(json, 'deliveries.0.attempts')
  if (!Array.isArray(attempts)) throw new Error('no attempts')
  const times = attempts.map((attempt) => Number(at(attempt, 'at')))
  return { bench, json, seconds: times.map((time) => (time - (times[0] ?? 0)) / 1000) }
}

test('a failing endpoint is tried up the ladder for a day, then switched off', async () => {
  const { bench, json, seconds } = await attemptTimes(500)
  expect(seconds).toEqual([0, ...retryLadderSeconds])
  expect(at(json, 'deliveries.0.state')).toBe('gave_up')
  await bench.emulator.advance(3600)
  await bench.pay(await bench.order())
  await bench.deliver()
  expect(bench.received).toHaveLength(seconds.length)
  await bench.control('POST', '/webhook/enable')
  bench.endpoint.status = 200
  await bench.pay(await bench.order())
  await bench.deliver()
  expect(bench.events()).toContain('order.paid')
})

test('a refusal is retried like a fault of the server, without the quick first retry', async () => {
  const { seconds } = await attemptTimes(400)
  expect(seconds).toEqual([0, ...retryLadderSeconds.slice(1)])
})

test('an endpoint that recovers gets what it missed and stays enabled', async () => {
  const bench = createBench()
  bench.endpoint.status = 503
  await bench.pay(await bench.order())
  await bench.deliver(100)
  bench.endpoint.status = 200
  await bench.deliver(100)
  const before = bench.received.length
  await bench.emulator.advance(25 * 3600)
  expect(bench.received).toHaveLength(before)
  expect(at((await bench.control('GET', '/webhook/deliveries')).json, 'endpoint.disabled')).toBe(
    false,
  )
})

test('after a change of secret retries keep the old signature, new events and replays have the new', async () => {
  const bench = createBench()
  const next = 'emu_webhook_secret_0002'
  bench.endpoint.status = 500
  await bench.pay(await bench.order(), { outcome: 'authorize_only' })
  await bench.deliver(1)
  await bench.control('POST', '/webhook/secret', { next })
  bench.endpoint.status = 200
  await bench.deliver(10)
  const retried = bench.received.at(-1)
  expect(retried?.signature).toBe(sign(retried?.body ?? '', defaults.webhookSecret))
  await bench.control('POST', '/webhook/replay', { event_id: retried?.eventId })
  await bench.deliver(1)
  const replayed = bench.received.at(-1)
  expect(replayed?.body).toBe(retried?.body)
  expect(replayed?.eventId).toBe(retried?.eventId)
  expect(replayed?.signature).toBe(sign(replayed?.body ?? '', next))
})

test('an operator can send any event about what exists', async () => {
  const bench = createBench()
  const order = await bench.order()
  const id = textAt(await bench.pay(order), 'razorpay_payment_id')
  await bench.deliver()
  const ids = { payment_id: id, order_id: order }
  await bench.control('POST', '/webhook/send', { event: 'order.paid', ...ids })
  await bench.deliver()
  expect(bench.events().filter((event) => event === 'order.paid')).toHaveLength(2)
})

test('a delivery under way is still in what is stored', async () => {
  let stored = ''
  const store = {
    load: () => Promise.resolve(null),
    save: (state: unknown) => {
      stored = JSON.stringify(state)
      return Promise.resolve()
    },
  }
  const started = Promise.withResolvers<undefined>()
  const answered = Promise.withResolvers<Response>()
  const bench = createBench({
    store,
    fetch: () => {
      started.resolve(undefined)
      return answered.promise
    },
  })
  await bench.pay(await bench.order())
  const advanced = bench.deliver(1)
  await started.promise
  await bench.control('POST', '/settings', {})
  const kept = State.parse(JSON.parse(stored)).timers.map((timer) => timer.job.kind)
  expect(kept.filter((kind) => kind === 'deliver')).toHaveLength(3)
  answered.resolve(new Response())
  await advanced
})

test('a body written another way is the same JSON', () => {
  const body = '{"url":"http://x/y","name":"Ünal & Söhne","n":1}'
  for (const style of ['pretty', 'slashes', 'unicode'] as const) {
    const other = reencode(body, style)
    expect(other).not.toBe(body)
    expect(JSON.parse(other)).toEqual(JSON.parse(body))
  }
})
