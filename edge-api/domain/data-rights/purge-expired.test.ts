import { changeRows, countToday, newLink } from '#harness/fixture/rows.ts'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { APPLICATION } from '#harness/application.ts'
import { startRecorder } from '#harness/recorder.ts'
import { emptyFixture } from '#harness/fixture/empty-fixture.ts'
import { createAccount, sessionRow } from '#harness/fixture/account.ts'
import { settledPack } from '#harness/fixture/purchase.ts'
import { createFixture, databaseUrl } from '#harness/fixture/fixture.ts'
import { addressCorrections, alerts } from '../../db/schema/admin.ts'
import { webhookEvents } from '../../db/schema/purchases.ts'
import { accountEvents, jobApplications, mails } from '../../db/schema/records.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { days } from '../time.ts'
import { recordEvent } from '../account/record-event.ts'
import { purgeExpired } from './purge-expired.ts'

/** An account in an empty database. */
async function open() {
  const fixture = await emptyFixture()
  const ctx = fixture.ctx()
  const { userId } = await createAccount(ctx)
  return { fixture, ctx, userId }
}

/** In SQL, the numbers from 1 to `count`. */
const numbersTo = (count: number) =>
  sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`

test('rows are deleted when the period of the privacy page is over, and no sooner; users and unsent mail stay', async () => {
  const { fixture, ctx, userId } = await open()
  const { db, now } = ctx
  const to = 'a@example.test'
  const mail = (id: string) =>
    enqueueMail(ctx, { kind: 'password_changed', payload: { secret: null }, id, to, userId })
  await db.batch([
    mail('sent'),
    mail('given-up'),
    mail('waiting'),
    db.run(sql`UPDATE mails SET due_at = NULL, sent_at = ${now} WHERE id = 'sent'`),
    db.run(sql`UPDATE mails SET due_at = NULL, failed_at = ${now} WHERE id = 'given-up'`),
    recordEvent(ctx, { userId, kind: 'signed_in' }),
    // Ended today, though its token could have been used for a year.
    db
      .insert(sessions)
      .values({ ...sessionRow(ctx, userId), endedAt: now, expiresAt: now + days(365) }),
    db.insert(webhookEvents).values({
      ...{ eventId: 'evt', event: 'order.paid', body: '{}', outcome: 'ignored' },
      ...{ receivedAt: now, processedAt: now },
    }),
    db
      .insert(addressCorrections)
      .values({ userId, email: to, emailKey: to, correctedAt: now - days(6) }),
    db.run(sql`
      INSERT INTO device_requests (device_code_hash, user_code, client_name, decision, created_at, expires_at)
      VALUES ('hash', 'code', 'app', 'pending', ${now}, ${now})`),
    db.run(sql`
      INSERT INTO sign_in_passes (pass_hash, user_id, purpose, is_remembered, created_at, expires_at)
      VALUES ('hash', ${userId}, 'google', 0, ${now}, ${now})`),
  ])
  await newLink(ctx, userId, 'reset')
  await countToday(ctx, ['mail', to], 1)
  await countToday({ ...ctx, now: now - days(1) }, ['mail', to], 1)
  const tables = ['mails', 'sessions', 'account_events', 'webhook_events', 'users']
  const left = async (names = tables) => {
    const counts = names.map((name) => `(SELECT count(*) FROM ${name}) AS ${name}`)
    const [row = {}] = await fixture.read(`SELECT ${counts.join()}`)
    return Object.values(row)
  }
  await purgeExpired(ctx)
  const others = [
    'daily_counts',
    'address_corrections',
    'device_requests',
    'sign_in_passes',
    'mailed_links',
  ]
  expect(await left(others)).toEqual([1, 1, 1, 1, 1])
  const after = async (passed: number) => {
    fixture.advance(days(passed))
    await purgeExpired(fixture.ctx())
    return left()
  }
  expect(await after(29), 'on day 29').toEqual([3, 2, 1, 1, 1])
  expect(await left(others)).toEqual([0, 0, 0, 0, 0])
  expect(await after(2), 'on day 31').toEqual([1, 1, 1, 1, 1])
  expect(await after(58), 'on day 89').toEqual([1, 0, 1, 1, 1])
  expect(await after(2), 'on day 91').toEqual([1, 0, 0, 0, 1])
})

test('evidence for a dispute stays as long as the last payment may be disputed, and nothing else of that age does', async () => {
  const fixture = await emptyFixture()
  const ctx = fixture.ctx()
  const [buyer, other] = [await createAccount(ctx), await createAccount(ctx)]
  await ctx.db.batch([
    recordEvent(ctx, { userId: buyer.userId, kind: 'signed_in_new_device' }),
    recordEvent(ctx, { userId: buyer.userId, kind: 'tokens_low' }),
    recordEvent(ctx, { userId: other.userId, kind: 'signed_in' }),
  ])
  await settledPack(ctx, buyer.userId)
  await changeRows(ctx.db, mails, { dueAt: null, sentAt: ctx.now })
  const left = async () => {
    await purgeExpired(fixture.ctx())
    const { db } = fixture.ctx()
    const { events, sent } = await db.batch({
      events: db.select({ kind: accountEvents.kind }).from(accountEvents),
      sent: db.select({ kind: mails.kind }).from(mails),
    })
    return [...events, ...sent].map(({ kind }) => kind)
  }
  fixture.advance(days(539))
  expect(await left()).toEqual(['signed_in_new_device', 'receipt'])
  fixture.advance(days(2))
  expect(await left()).toEqual([])
})

test('an application is deleted a year after its decision, with its entries and mails; others stay', async () => {
  const fixture = await emptyFixture()
  const ctx = fixture.ctx()
  const { db } = ctx
  const write = (id: string, decidedAt: number | null) => [
    db.insert(jobApplications).values({
      ...{ ...APPLICATION, id, email: 'a@example.test', createdAt: ctx.now, decidedAt },
      state: decidedAt === null ? 'in_talks' : 'declined',
    }),
    db.run(sql`
      INSERT INTO submission_entries (id, submission_id, kind, text, operator_id, created_at)
      VALUES (${`ent_${id}`}, ${id}, 'answer', 'No', 'usr_1', ${ctx.now})`),
    ...['sender', 'team', `ent_${id}`].map((part) => {
      const mail = { kind: 'suspension_lifted', payload: {}, to: 'a@example.test' } as const
      return enqueueMail(ctx, { ...mail, id: `${id}:${part}`, userId: null })
    }),
  ]
  await db.batch({
    decided: write('app_decided', ctx.now),
    later: write('app_later', ctx.now + days(1)),
    open: write('app_open', null),
  })
  const left = async () => {
    const rows = await fixture.read<{ id: string }>(`
      SELECT id FROM job_applications UNION ALL SELECT submission_id FROM submission_entries
      UNION ALL SELECT substr(id, 1, instr(id, ':') - 1) FROM mails`)
    return [...new Set(rows.map(({ id }) => id))].toSorted()
  }
  fixture.advance(days(365))
  await purgeExpired(fixture.ctx())
  expect(await left()).toEqual(['app_decided', 'app_later', 'app_open'])
  fixture.advance(1)
  await purgeExpired(fixture.ctx())
  expect(await left()).toEqual(['app_later', 'app_open'])
})

test('the batches of a purge grow while they are quick, and after each it rests twice as long as it took', async () => {
  const { fixture, ctx, userId } = await open()
  await fixture.read(sql`
    INSERT INTO sign_in_passes (pass_hash, user_id, purpose, is_remembered, created_at, expires_at)
    ${numbersTo(190)} SELECT 'hash-' || i, ${userId}, 'google', 0, ${ctx.now}, ${ctx.now} FROM n`)
  fixture.advance(days(8))
  const pauses: number[] = []
  let now = 0
  // The purge reads the clock before a batch, at its beginning and at its end.
  const clock = () => (now += 5)
  const pause = (ms: number) => Promise.resolve(void pauses.push(ms))
  await purgeExpired({ ...fixture.ctx(), clock, pause })
  // 1, 2, 4, 8, 16, 32, 60 and 60 rows; the next batch finds fewer than it may delete.
  expect(pauses).toEqual(Array(8).fill(10))
})

test('no write of a purge reads more than a few rows, however many mails and events are kept', async () => {
  const { fixture, ctx, userId } = await open()
  await settledPack(ctx, userId)
  const numbers = numbersTo(2_000)
  await ctx.db.batch([
    ctx.db.run(sql`
      INSERT INTO mails (id, kind, to_address, user_id, payload, created_at, sent_at)
      ${numbers} SELECT 'sent-' || i, 'receipt', 'a@example.test', ${userId}, '{}', ${ctx.now}, ${ctx.now} FROM n`),
    ctx.db.run(sql`
      INSERT INTO account_events (id, user_id, kind, created_at)
      ${numbers} SELECT 'seen-' || i, ${userId}, 'signed_in', ${ctx.now} FROM n`),
    recordEvent(ctx, { userId, kind: 'tokens_low' }),
  ])
  const recorder = await startRecorder(databaseUrl())
  fixture.advance(days(100))
  await purgeExpired({ ...createFixture({ databaseUrl: recorder.url }).ctx(), now: fixture.now() })
  const deletes = recorder
    .exchanges()
    .filter(({ statements }) => statements.some((text) => /^delete/i.test(text)))
  expect(deletes.length).toBeGreaterThan(2)
  expect(Math.max(...deletes.map(({ rowsRead }) => rowsRead))).toBeLessThan(100)
  expect(await fixture.read('SELECT count(*) AS kept FROM account_events')).toEqual([
    { kept: 2000 },
  ])
  await recorder.stop()
})

test('a flood of counts of a day that is over keeps the purge from nothing that a page promises', async () => {
  const { fixture, ctx, userId } = await open()
  await ctx.db.batch([
    recordEvent(ctx, { userId, kind: 'tokens_low' }),
    ctx.db.run(sql`
      INSERT INTO daily_counts (key_hash, kind, day, count)
      ${numbersTo(1_000)} SELECT 'hash-' || i, 'mail', 1, 1 FROM n`),
  ])
  fixture.advance(days(100))
  let reading = 0
  const purgeUntil = (endsAt: number) =>
    purgeExpired({ ...fixture.ctx(), clock: () => (reading += 1) }, endsAt)
  await purgeUntil(10)
  expect(fixture.alerts).toMatchObject([{ event: 'the purge did not finish' }])
  reading = 0
  await purgeUntil(60)
  expect(fixture.alerts, 'of a run that deleted all but counts').toHaveLength(1)
  const left = await fixture.read(`
    SELECT (SELECT count(*) FROM sessions) AS sessions, (SELECT count(*) FROM account_events) AS events,
      (SELECT count(*) FROM daily_counts) > 0 AS counts`)
  expect(left).toEqual([{ sessions: 0, events: 0, counts: 1 }])
})

test('the facts of an acknowledged alert go after 180 days; one that stands stays', async () => {
  const fixture = await emptyFixture()
  const { db, now } = fixture.ctx()
  const alert = { firstSeenAt: now, lastSeenAt: now, count: 1, fields: '{"paymentId":"pay_1"}' }
  await db.batch([
    db
      .insert(alerts)
      .values({ id: 'done', kind: 'a', acknowledgedAt: now, acknowledgedBy: 'ops', ...alert }),
    db.insert(alerts).values({ id: 'standing', kind: 'b', ...alert }),
  ])
  const left = async () => {
    await purgeExpired(fixture.ctx())
    const facts = await fixture.read<{ id: string }>(
      "SELECT id FROM alarms WHERE fields <> '{}' ORDER BY id",
    )
    return facts.map(({ id }) => id)
  }
  fixture.advance(days(180))
  expect(await left()).toEqual(['done', 'standing'])
  fixture.advance(1)
  expect(await left()).toEqual(['standing'])
})
