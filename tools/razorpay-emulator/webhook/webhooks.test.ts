import { expect, test } from 'vitest'
import { at, createBench } from '../bench.ts'
import { defaults } from '../safety.ts'
import { sign } from '../core/signature.ts'
import { State } from '../core/state.ts'
import { retryLadderSeconds } from './deliver.ts'

test('a captured payment sends three events, signed over their bytes', async () => {
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

test('a failing endpoint is tried again for a day, of a 400 without the quick first time, then switched off', async () => {
  expect((await attemptTimes(400)).seconds).toEqual([0, ...retryLadderSeconds.slice(1)])
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

test('a replay sends the same bytes under the same id', async () => {
  const bench = createBench()
  await bench.pay(await bench.order(), { outcome: 'authorize_only' })
  await bench.deliver()
  const [first] = bench.received
  await bench.control('POST', '/webhook/replay', { event_id: first?.eventId })
  await bench.deliver()
  expect(bench.received).toEqual([first, first])
  const unknown = await bench.control('POST', '/webhook/replay', { event_id: 'EMUnone' })
  expect(unknown.status).toBe(400)
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

test('a delivery under way is part of the saved state', async () => {
  let stored = ''
  const save = (state: unknown) => {
    stored = JSON.stringify(state)
  }
  const started = Promise.withResolvers<undefined>()
  const answered = Promise.withResolvers<Response>()
  const bench = createBench({
    save,
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
