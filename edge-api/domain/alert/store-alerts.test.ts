import { and, eq, gte, like } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startRecorder } from '#harness/recorder.ts'
import { scansOf } from '#harness/scans.ts'
import { createFixture, databaseUrl } from '#harness/fixture/fixture.ts'
import { alerts } from '../../db/schema/admin.ts'
import { mails } from '../../db/schema/records.ts'
import { renderMail } from '../mail/render.ts'
import type { AlertKind } from '../ports/alerts.ts'
import { minutes } from '../time.ts'
import { PendingAlerts, storeAlerts } from './store-alerts.ts'
import { changeRows, rowsOf } from '#harness/fixture/rows.ts'

/**
 * Each test has a kind of its own, because a kind stands once in the database that all share. What was raised long ago belongs
 * to post-alerts.test.ts.
 */
function newSite(kind: AlertKind, { url = databaseUrl() } = {}) {
  const fixture = createFixture({ databaseUrl: url })
  const since = fixture.now()
  const pending = new PendingAlerts()
  const raise = async (fields = {}) => {
    pending.add({ kind, fields, at: fixture.now() })
    await storeAlerts(fixture.ctx(), pending)
  }
  const { db } = createFixture().ctx()
  const isOwn = and(eq(alerts.kind, kind), gte(alerts.firstSeenAt, since))
  const isOfOwn = and(like(mails.id, `mail-alarm:${kind}:%`), gte(mails.createdAt, since))
  return {
    ...{ fixture, pending, raise },
    rows: async () =>
      (await rowsOf(db, alerts, isOwn)).toSorted((a, b) => a.firstSeenAt - b.firstSeenAt),
    sent: async () =>
      (await rowsOf(db, mails, isOfOwn)).toSorted((a, b) => a.createdAt - b.createdAt),
    acknowledge: () =>
      changeRows(db, alerts, { acknowledgedAt: fixture.now(), acknowledgedBy: 'usr_1' }, isOwn),
  }
}

test('an alert stands once, is counted, and is mailed at most once an hour with the words of the runbook', async () => {
  const { fixture, raise, rows, sent, acknowledge } = newSite('a webhook was not understood')
  await raise({ event: 'first' })
  fixture.advance(minutes(59))
  await raise({ event: 'second' })
  expect(await rows()).toMatchObject([{ count: 2, fields: '{"event":"second"}' }])
  expect(await sent()).toHaveLength(1)

  // Even when it was acknowledged meanwhile.
  await acknowledge()
  fixture.advance(minutes(0.5))
  await raise({ event: 'third' })
  expect(await rows()).toMatchObject([{ count: 2 }, { count: 1, acknowledgedAt: null }])
  expect(await sent()).toHaveLength(1)

  fixture.advance(minutes(1))
  await raise({ event: 'fourth' })
  const written = await sent()
  expect(written).toMatchObject([{ toAddress: fixture.ctx().brand.operatorEmail }, {}])
  const { subject, text } = renderMail(written[1] ?? { kind: '', payload: '' }, fixture.ctx())
  expect(subject).toBe('Alert: a webhook was not understood')
  expect(text).toContain('It is kept in webhook_events')
  expect(text).toContain('event: fourth')
  expect(text).toContain('Raised: 2 times')
  expect(text).toContain('http://localhost:8787/admin')
})

test('each payment with a pending refund or a dispute, and each job that fails, has an alert and a mail of its own', async () => {
  const refunds = newSite('captured money is owed back')
  const facts = { purchaseId: 'pur_1', amount: 'INR 2999.00', reason: 'excess' }
  for (const paymentId of ['pay_A', 'pay_B', 'pay_B']) await refunds.raise({ ...facts, paymentId })
  const disputes = newSite('a payment is disputed')
  for (const paymentId of ['pay_A', 'pay_B']) await disputes.raise({ paymentId, state: 'open' })
  expect(await disputes.sent()).toHaveLength(2)
  const jobs = newSite('job failed')
  for (const job of ['purgeExpired', 'settle', 'settle']) await jobs.raise({ job })
  const counts = async ({ rows }: typeof jobs) =>
    (await rows()).map(({ subject, count }) => [subject, count]).toSorted()
  expect(await counts(refunds)).toEqual([
    ['pay_A', 1],
    ['pay_B', 2],
  ])
  expect(await counts(jobs)).toEqual([
    ['purgeExpired', 1],
    ['settle', 2],
  ])
  const [, written = { kind: '', payload: '' }, ...more] = await refunds.sent()
  expect([...more, ...(await jobs.sent())]).toHaveLength(2)
  const { text } = renderMail(written, refunds.fixture.ctx())
  for (const line of ['purchase: pur_1', 'payment: pay_B', 'amount: INR 2999.00'])
    expect(text).toContain(line)
})

test('an alert that cannot be stored waits, and a flood of one kind takes one place', async () => {
  const { fixture, pending, raise } = newSite('money for an unknown order', {
    url: 'http://127.0.0.1:9',
  })
  for (let times = 0; times < 50; times += 1) {
    fixture.advance(1)
    await raise({ eventId: `evt_${times}` })
  }
  expect(fixture.errors[0]?.event).toBe('alerts could not be stored')
  const waiting = pending.take()
  expect(waiting, 'what waits in memory').toHaveLength(1)
  pending.putBack(waiting)
  const answering = newSite('money for an unknown order')
  await storeAlerts(answering.fixture.ctx(), pending)
  expect(await answering.rows()).toMatchObject([
    { count: 50, firstSeenAt: fixture.now() - 49, fields: '{"eventId":"evt_49"}' },
  ])
  expect(pending.take()).toEqual([])
})

test('two isolates that alert at once make one alert and one mail', async () => {
  const { fixture, raise, rows, sent } = newSite('the audit did not see everything')
  await Promise.all([raise(), raise(), raise()])
  expect(await rows()).toMatchObject([{ count: 3, firstSeenAt: fixture.now() }])
  expect(await sent()).toHaveLength(1)
})

test('alerts are stored in one round trip by indexes', async () => {
  const recorder = await startRecorder(databaseUrl())
  const { fixture, pending } = newSite('no webhook arrives')
  const ctx = createFixture({ databaseUrl: recorder.url }).ctx()
  pending.add({ kind: 'no webhook arrives', fields: {}, at: fixture.now() })
  pending.add({ kind: 'mail given up', fields: {}, at: fixture.now() })
  await storeAlerts(ctx, pending)
  expect(ctx.db.roundTrips()).toBe(1)
  const inserts = recorder.statements().filter((text) => /^\s*insert/i.test(text))
  expect(inserts).toHaveLength(2)
  expect(await scansOf(ctx.db, inserts)).toEqual([])
  await recorder.stop()
})
