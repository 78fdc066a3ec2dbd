import { changeRows } from '#harness/fixture/rows.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { brand } from '../../../site/brand.ts'
import { startListener } from '#harness/listener.ts'
import { startRecorder } from '#harness/recorder.ts'
import { scansOf } from '#harness/scans.ts'
import { createFixture, databaseUrl } from '#harness/fixture/fixture.ts'
import { alerts } from '../../db/schema/admin.ts'
import { alertWebhookOf } from '../../gateways/post-to-webhook.ts'
import { hours } from '../time.ts'
import { postAlerts } from './post-alerts.ts'
import { PendingAlerts, storeAlerts } from './store-alerts.ts'

test('a chat hears of an alert once an hour at most, also when it was down, and not after it was acknowledged', async () => {
  const chat = await startListener()
  const recorder = await startRecorder(databaseUrl())
  const alertWebhook = alertWebhookOf({ ALARM_WEBHOOK_URL: chat.url, HEARTBEAT_URL: '' })
  // Long ago, so that there is no alert of another test yet.
  const fixture = createFixture({
    alertWebhook,
    databaseUrl: recorder.url,
    now: Date.UTC(2021, 4, 5),
  })
  const raise = async () => {
    const pending = new PendingAlerts()
    pending.add({ kind: 'job failed', fields: { job: '@everyone' }, at: fixture.now() })
    await storeAlerts(fixture.ctx(), pending)
  }
  const texts = () => chat.requests.map(({ body }) => JSON.parse(body).text)
  await postAlerts(fixture.ctx())
  await raise()
  chat.answers(500)
  await postAlerts(fixture.ctx())
  expect(fixture.alerts).toEqual([
    { event: 'the alarm webhook takes nothing', fields: { reason: 'status 500', alerts: 1 } },
  ])
  chat.answers(200)
  await postAlerts(fixture.ctx())
  await postAlerts(fixture.ctx())
  const once = `${brand.productName} raises an alert:\n• job failed\nhttp://localhost:8787/admin`
  expect(texts()).toEqual([once, once])

  await raise()
  await postAlerts(fixture.ctx())
  expect(texts()).toHaveLength(2)
  fixture.advance(hours(1))
  await raise()
  await postAlerts(fixture.ctx())
  expect(texts().slice(2)).toEqual([once.replace('failed', 'failed (3 times)')])

  fixture.advance(hours(1))
  await raise()
  const { db } = fixture.ctx()
  const own = eq(alerts.kind, 'job failed')
  const acknowledged = { acknowledgedAt: fixture.now(), acknowledgedBy: 'usr_1' }
  await changeRows(db, alerts, acknowledged, own)
  await postAlerts(fixture.ctx())
  expect(texts()).toHaveLength(3)
  const statements = recorder.statements().filter((text) => /^\s*(select|update)/i.test(text))
  expect(await scansOf(db, statements)).toEqual([])
  await recorder.stop()
})

test('without an address no statement is sent', async () => {
  const ctx = createFixture().ctx()
  await postAlerts(ctx)
  expect(ctx.db.roundTrips()).toBe(0)
})
