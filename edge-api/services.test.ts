import { eq, sql } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startSilentServer } from '#harness/database-proxy.ts'
import { databaseUrl } from '#harness/fixture/fixture.ts'
import { WHOLE_ENVIRONMENT } from '#harness/whole-environment.ts'
import { readConfig } from './config.ts'
import { alerts } from './db/schema/admin.ts'
import { DatabaseBusy } from './db/database-error.ts'
import { buildServices, purposeOf } from './services.ts'
import worker from './worker.ts'

const VISITOR = { ipAddress: '192.0.2.1', ipPrefix: '192.0.2.0/24', device: 'Firefox on Linux' }
const NOW = 1_800_000_000_000
/** What a request gets in this environment. */
const contextIn = (env: object, purpose: 'payment' | 'other' = 'other') =>
  buildServices(readConfig({ ...WHOLE_ENVIRONMENT, ...env }), []).newContext({
    visitor: VISITOR,
    now: NOW,
    purpose,
  })
const MAIL = { id: 'm1', from: 'a@b.test', to: 'c@d.test', subject: 's', text: 't', html: 'h' }

test.each([
  ['local', { isLocal: true, sent: 0 }],
  ['production', { isLocal: false, sent: 1 }],
  ['development', { isLocal: false, sent: 1 }],
  ['test', { isLocal: false, sent: 1 }],
  [undefined, { isLocal: false, sent: 1 }],
])('with ENVIRONMENT %s the mailbox is %j', async (ENVIRONMENT, { isLocal, sent }) => {
  const send = vi.fn(() => Promise.resolve())
  const { ctx } = contextIn({ ENVIRONMENT, EMAIL: { send } })
  await ctx.mailer.send(MAIL)
  expect({ isLocal: ctx.isLocal, sent: send.mock.calls.length }).toEqual({ isLocal, sent })
})

test('a password is hashed with 32 MiB, three times, in every environment', () => {
  for (const ENVIRONMENT of ['local', 'production', 'development', 'test', undefined]) {
    expect(contextIn({ ENVIRONMENT }).ctx.hashCost).toEqual({ log2N: 15, r: 8, p: 3 })
  }
})

test('rotating secrets leaves the key of the trials as it was', () => {
  const keyOf = (env: object) => contextIn(env).ctx.trialKey
  const rotated = keyOf({ JWT_SECRETS: `k3:${'d'.repeat(32)}` })
  expect(rotated, 'the key of the trials').toEqual(keyOf({}))
  expect(keyOf({ TRIAL_SECRET: 'e'.repeat(32) })).not.toEqual(keyOf({}))
})

test('a mail that the provider does not take in ten seconds counts as not sent', async () => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const send = () => new Promise<never>(() => undefined)
  const { ctx } = contextIn({ EMAIL: { send } })
  const sent = expect(ctx.mailer.send(MAIL)).rejects.toThrow('not taken in time')
  await vi.advanceTimersByTimeAsync(10_000)
  await sent
})

test('two limits with the same figure are counted apart', async () => {
  const counted: string[] = []
  const limit = ({ key }: { key: string }) => Promise.resolve({ success: counted.push(key) > 0 })
  const { allow } = buildServices(readConfig({ ...WHOLE_ENVIRONMENT, LIMIT_5: { limit } }), [])
  for (const name of ['mail', 'support'] as const) await allow(name, 'a')
  expect(counted).toEqual(['mail a', 'support a'])
})

test('a payment is written even while other writes have reached their limit', async () => {
  const database = await startSilentServer()
  const env = { ...WHOLE_ENVIRONMENT, ENVIRONMENT: 'local', DATABASE_URL: database.url }
  const { newContext } = buildServices(readConfig(env), [])
  const write = (purpose: 'payment' | 'other') => {
    const { ctx } = newContext({ visitor: VISITOR, now: NOW, purpose })
    return ctx.db.batch([ctx.db.run(sql`UPDATE users SET bio = ''`)])
  }
  const rejections: unknown[] = []
  const flood = Array.from({ length: 200 }, () =>
    write('other').catch((error: unknown) => rejections.push(error)),
  )
  await expect.poll(() => rejections.length + database.asked()).toBe(200)
  const taken = database.asked()
  const payment = write('payment').catch(() => undefined)
  await expect.poll(database.asked).toBe(taken + 1)
  await expect(write('other')).rejects.toBeInstanceOf(DatabaseBusy)
  await database.stop()
  await Promise.all([...flood, payment])
})

test('a health check gives up after a second', async () => {
  const { url } = await startSilentServer()
  const env = { ...WHOLE_ENVIRONMENT, ENVIRONMENT: 'local', DATABASE_URL: url }
  const { newContext } = buildServices(readConfig(env), [])
  const { ctx } = newContext({ visitor: VISITOR, now: NOW, purpose: purposeOf('/api/health') })
  vi.useFakeTimers()
  const gaveUp = vi.fn()
  void ctx.db.batch([ctx.db.select().from(alerts)]).catch(gaveUp)
  await vi.advanceTimersByTimeAsync(1_000)
  vi.useRealTimers()
  expect(gaveUp).toHaveBeenCalledOnce()
})

test.each(['/api/payment/create-order', '/api/webhooks/razorpay'])(
  '%s has the purpose of a payment',
  (path) => {
    expect(purposeOf(path)).toBe('payment')
  },
)

test('the Worker finishes a call whose caller has left', async () => {
  const kept: Promise<unknown>[] = []
  const execution = { waitUntil: (work: Promise<unknown>) => void kept.push(work) }
  const call = new Request('https://sotto.example/api/health/live')
  const answered = worker.fetch(call, WHOLE_ENVIRONMENT, execution)
  expect(kept).toHaveLength(1)
  expect(await kept[0]).toBe(await answered)
})

test('an alert is logged at once and is open at /admin after the answer, also one of a gateway', async () => {
  const lines = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const { ctx, finish } = contextIn({ DATABASE_URL: databaseUrl() })
  ctx.log.alert('the trials of today are being used up', { trials: 7 })
  expect(lines.mock.calls.flat().map(String)).toEqual([
    expect.stringContaining('payments are not configured'),
    expect.stringContaining('{"level":"alert","event":"the trials of today are being used up"'),
  ])
  await finish()
  const kinds = ['payments are not configured', 'the trials of today are being used up']
  for (const kind of kinds) {
    const [rows] = await ctx.db.batch([ctx.db.select().from(alerts).where(eq(alerts.kind, kind))])
    expect(rows, kind).toMatchObject([{ count: 1, acknowledgedAt: null }])
  }
})

test('work started by background work is also completed', async () => {
  const { ctx, finish } = contextIn({ DATABASE_URL: databaseUrl() })
  const done: string[] = []
  const note = (what: string) => () => Promise.resolve(void done.push(what))
  ctx.waitUntil(async () => {
    await note('first')()
    ctx.waitUntil(note('further'))
  })
  await finish()
  expect(done).toEqual(['first', 'further'])
})

test('an alert while the database is down is logged, and neither throws nor waits for it', async () => {
  const lines = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const faults = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { ctx, finish } = contextIn({ ENVIRONMENT: 'local', DATABASE_URL: 'http://127.0.0.1:9' })
  ctx.log.alert('job failed', { job: 'x' })
  expect(lines.mock.calls.flat().map(String)).toContainEqual(
    expect.stringContaining('"job failed"'),
  )
  expect(ctx.db.roundTrips()).toBe(0)
  await finish()
  expect(faults.mock.calls.flat().map(String)).toEqual([
    expect.stringContaining('alerts could not be stored'),
  ])
})
