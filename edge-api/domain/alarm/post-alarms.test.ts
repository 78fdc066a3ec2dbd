import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { brand } from '../../../site/brand.ts'
import { startListener } from '../../../tests/harness/listener.ts'
import { startRecorder } from '../../../tests/harness/recorder.ts'
import { scansOf } from '../../../tests/harness/scans.ts'
import { createWorld, databaseUrl } from '../../../tests/harness/world/world.ts'
import { alarms } from '../../db/schema/admin.ts'
import { pagerOf } from '../../gateways/pager.ts'
import { hours } from '../time.ts'
import { postAlarms } from './post-alarms.ts'
import { PendingAlarms, storeAlarms } from './store-alarms.ts'

test('a chat hears of an alarm once an hour at most, also when it was down, and not after it was acknowledged', async () => {
  const chat = await startListener()
  const recorder = await startRecorder(databaseUrl())
  const pager = pagerOf({ ALARM_WEBHOOK_URL: chat.url, HEARTBEAT_URL: '' })
  // Long ago, so that there is no alarm of another test yet.
  const world = createWorld({ pager, databaseUrl: recorder.url, now: Date.UTC(2021, 4, 5) })
  const raise = async () => {
    const pending = new PendingAlarms()
    pending.add({ kind: 'job failed', fields: { job: '@everyone' }, at: world.now() })
    await storeAlarms(world.ctx(), pending)
  }
  const texts = () => chat.requests.map(({ body }) => JSON.parse(body).text)
  await postAlarms(world.ctx())
  await raise()
  chat.answers(500)
  await postAlarms(world.ctx())
  expect(world.alerts).toEqual([
    { event: 'the alarm webhook takes nothing', fields: { reason: 'status 500', alarms: 1 } },
  ])
  chat.answers(200)
  await postAlarms(world.ctx())
  await postAlarms(world.ctx())
  const once = `${brand.productName} raises an alert:\n• job failed\nhttp://localhost:8787/admin`
  expect(texts()).toEqual([once, once])

  await raise()
  await postAlarms(world.ctx())
  expect(texts()).toHaveLength(2)
  world.advance(hours(1))
  await raise()
  await postAlarms(world.ctx())
  expect(texts().slice(2)).toEqual([once.replace('failed', 'failed (3 times)')])

  world.advance(hours(1))
  await raise()
  const { db } = world.ctx()
  const own = eq(alarms.kind, 'job failed')
  const acknowledged = { acknowledgedAt: world.now(), acknowledgedBy: 'usr_1' }
  await db.batch([db.update(alarms).set(acknowledged).where(own)])
  await postAlarms(world.ctx())
  expect(texts()).toHaveLength(3)
  const statements = recorder.statements().filter((text) => /^\s*(select|update)/i.test(text))
  expect(await scansOf(db, statements)).toEqual([])
  await recorder.stop()
})

test('without an address no statement is sent', async () => {
  const ctx = createWorld().ctx()
  await postAlarms(ctx)
  expect(ctx.db.trips()).toBe(0)
})
