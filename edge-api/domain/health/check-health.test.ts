import { rowsOf, changeRows } from '#harness/fixture/rows.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { emptyFixture } from '#harness/fixture/empty-fixture.ts'
import { NO_INPUT, START_MS } from '#harness/fixture/fixture.ts'
import { unavailableGateway } from '../../gateways/razorpay/razorpay-gateway.ts'
import { dailyCounts, mails } from '../../db/schema/records.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { dayOf, days, minutes, seconds } from '../time.ts'
import { healthCheck } from './check-health.ts'

const payments = { ...unavailableGateway, keyId: 'rzp_test_EMUkey00000001' }

const mail = {
  kind: 'password_changed',
  payload: { secret: null },
  to: 'a@example.test',
  userId: null,
} as const

test('each check of readiness stores something, because a full disk still answers reads', async () => {
  const fixture = await emptyFixture()
  await healthCheck()(fixture.ctx(), NO_INPUT)
  fixture.advance(days(1))
  await healthCheck()(fixture.ctx(), NO_INPUT)
  const { db, now } = fixture.ctx()
  const rows = await rowsOf(db, dailyCounts, eq(dailyCounts.kind, 'readiness'))
  expect(rows, 'what the second answer stored').toMatchObject([{ day: dayOf(now), count: 1 }])
})

test('mail that waits for 15 minutes while none is sent is down; once a later one is sent it is only late', async () => {
  const fixture = await emptyFixture()
  const ctx = () => ({ ...fixture.ctx(), isLocal: false })
  const nothing = { status: 'ok', detail: 'nothing waits' }
  expect((await healthCheck()(ctx(), NO_INPUT)).parts['mail']).toEqual(nothing)
  const { db } = fixture.ctx()
  await db.batch([enqueueMail(ctx(), { ...mail, id: 'waits' })])
  fixture.advance(minutes(16))
  await expect(healthCheck()(ctx(), NO_INPUT)).rejects.toMatchObject({
    code: 'NOT_READY',
    message: 'Down: mail',
    detail: { extra: { parts: { mail: { status: 'down', detail: 'oldest waits 960 s' } } } },
  })
  await db.batch([enqueueMail(ctx(), { ...mail, id: 'sent' })])
  await changeRows(db, mails, { dueAt: null, sentAt: fixture.now() }, eq(mails.id, 'sent'))
  const { ready, parts } = await healthCheck()(ctx(), NO_INPUT)
  expect(ready).toBe(true)
  expect(parts['mail']).toEqual({ status: 'degraded', detail: 'oldest waits 960 s' })
  fixture.advance(minutes(16))
  expect((await healthCheck()(ctx(), NO_INPUT)).parts['mail']).toMatchObject({ status: 'degraded' })
  await db.batch([enqueueMail(ctx(), { ...mail, id: 'waits too' })])
  fixture.advance(minutes(16))
  await expect(healthCheck()(ctx(), NO_INPUT)).rejects.toMatchObject({ message: 'Down: mail' })
})

test('an answer of the database is reused for ten seconds', async () => {
  const fixture = await emptyFixture()
  const health = healthCheck()
  const roundTrips = async () => {
    const ctx = fixture.ctx()
    await health(ctx, NO_INPUT)
    return ctx.db.roundTrips()
  }
  expect([await roundTrips(), await roundTrips()]).toEqual([1, 0])
  fixture.advance(seconds(10))
  expect(await roundTrips()).toBe(1)
})

test.each([
  ['answered', 'ok', 'answered 5 s ago'],
  ['unavailable', 'degraded', 'did not answer 5 s ago'],
] as const)(
  'the last answer of the payment provider is shown with its age: %s',
  async (outcome, status, detail) => {
    const last = { outcome, at: START_MS - 5_000 }
    const answering = { ...payments, lastAnswer: () => last }
    const fixture = await emptyFixture({ payments: answering })
    const { parts } = await healthCheck()(fixture.ctx(), NO_INPUT)
    expect(parts['payments']).toEqual({ status, detail })
  },
)

test('keys that the payment provider does not accept make it not ready', async () => {
  const lastAnswer = () => ({ outcome: 'unauthorized' as const, at: START_MS })
  const fixture = await emptyFixture({ payments: { ...payments, lastAnswer } })
  await expect(healthCheck()(fixture.ctx(), NO_INPUT)).rejects.toMatchObject({
    message: 'Down: payments',
    detail: { extra: { parts: { payments: { detail: 'did not accept our keys 0 s ago' } } } },
  })
})
