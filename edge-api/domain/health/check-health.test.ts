import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSqld, type Sqld } from '../../../tests/harness/services.ts'
import { createWorld, NO_INPUT } from '../../../tests/harness/world/world.ts'
import { unavailableGateway } from '../../gateways/razorpay/unavailable-gateway.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { minutes } from '../time.ts'
import { health, live } from './check-health.ts'

const payments = { ...unavailableGateway, keyId: 'rzp_test_EMUkey00000001' }

const state: { sqld?: Sqld } = {}
beforeAll(async () => {
  state.sqld = await startSqld()
})
afterAll(() => state.sqld?.stop())

test('late mail is reported as degraded with its age, and the Worker stays ready', async () => {
  const world = createWorld({ databaseUrl: state.sqld?.url ?? '', payments })
  const ctx = world.ctx()
  expect((await health(ctx, NO_INPUT)).parts['mail']).toEqual({
    status: 'ok',
    detail: 'nothing waits',
  })
  const mail = {
    kind: 'password_changed',
    payload: {},
    to: 'a@example.test',
    userId: null,
  } as const
  await ctx.db.batch([enqueueMail(ctx, mail)])
  world.advance(minutes(16))
  const { ready, parts } = await health(world.ctx(), NO_INPUT)
  expect(ready).toBe(true)
  expect(parts['mail']).toEqual({ status: 'degraded', detail: 'oldest waits 960 s' })
})

test('without a database it is live but not ready, and names the database', async () => {
  const world = createWorld({ databaseUrl: 'http://127.0.0.1:9', payments })
  await expect(health(world.ctx(), NO_INPUT)).rejects.toMatchObject({
    code: 'NOT_READY',
    message: 'Down: database',
    detail: {
      retryAfterSeconds: 30,
      extra: { live: true, ready: false, parts: { database: { status: 'down' } } },
    },
  })
  expect(await live(world.ctx(), NO_INPUT)).toEqual({ success: true })
})

test('without payments the API is not ready and names the part', async () => {
  const world = createWorld({ databaseUrl: state.sqld?.url ?? '' })
  await expect(health(world.ctx(), NO_INPUT)).rejects.toMatchObject({
    code: 'NOT_READY',
    message: 'Down: payments',
    detail: {
      extra: { ready: false, parts: { payments: { status: 'down', detail: 'not configured' } } },
    },
  })
})
