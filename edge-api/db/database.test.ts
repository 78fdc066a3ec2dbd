import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startProxy, startSilentServer } from '#harness/database-proxy.ts'
import { databaseUrl } from '#harness/fixture/fixture.ts'
import { Connections } from './connections.ts'
import { DatabaseBusy, DatabaseUnavailable } from './database-error.ts'
import { CallGate, openDatabase } from './database.ts'

const connectionsTo = (url: string) => new Connections({ url, authToken: '', clock: Date.now })
const open = (url: string) => openDatabase({ connections: connectionsTo(url) })

const LOCKED = {
  baton: null,
  base_url: null,
  results: [{ type: 'error', error: { message: 'database is locked', code: 'SQLITE_BUSY' } }],
}

/** The database of this run, which is locked for the first `times` calls. */
async function lockedAtFirst(times: number) {
  let refused = 0
  const proxy = await startProxy(databaseUrl(), () => {
    if (refused >= times) return null
    refused += 1
    return { status: 200, body: JSON.stringify(LOCKED) }
  })
  return { ...proxy, refused: () => refused }
}

test('a write to a locked database is sent again and executed once', async () => {
  const { url, refused } = await lockedAtFirst(3)
  const table = sql`locked`
  const direct = open(databaseUrl())
  await direct.batch([direct.run(sql`CREATE TABLE ${table} (content TEXT)`)])
  const db = open(url)
  await db.batch([db.run(sql`INSERT INTO ${table} VALUES ('once')`)])
  expect(refused()).toBe(3)
  const [rows] = await direct.batch([
    direct.all(sql`SELECT content FROM ${table}`),
    direct.run(sql`DROP TABLE ${table}`),
  ])
  expect(rows).toEqual([{ content: 'once' }])
})

test('answers are requested uncompressed, because compressing takes the server longer than reading', async () => {
  const { url, passed } = await lockedAtFirst(0)
  const db = open(url)
  await db.batch([db.all(sql`SELECT 1`)])
  expect(passed.map(({ headers }) => headers['accept-encoding'])).toEqual(['identity'])
})

test('a database that stays locked counts as unavailable', async () => {
  const { url, refused } = await lockedAtFirst(Infinity)
  const db = openDatabase({ connections: connectionsTo(url), lockedPauseMs: 0 })
  const write = db.batch([db.run(sql`UPDATE users SET username = username`)])
  await expect(write).rejects.toThrow('the database did not answer')
  expect(refused()).toBe(41)
})

test('a request that the server cannot read is a fault of ours, not a database that is away', async () => {
  const db = open(databaseUrl())
  const write = db.batch([db.run(sql`SELECT ${'half a \ud83d'}`)])
  await expect(write).rejects.toThrow('the database answered 400')
  await expect(write).rejects.not.toBeInstanceOf(DatabaseUnavailable)
})

test('a read that times out is not sent again', async () => {
  const { url, asked } = await startSilentServer()
  const ends = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(ends.signal)
  onTestFinished(() => timeout.mockRestore())
  const db = open(url)
  const read = db.batch([db.all(sql`SELECT 1`)])
  const refused = expect(read).rejects.toThrow('the database did not answer')
  await expect.poll(asked).toBe(1)
  ends.abort(new DOMException('', 'TimeoutError'))
  await refused
  expect(asked()).toBe(1)
})

test.each([
  ['that has too much to do is asked once, and passes for busy', 429, DatabaseBusy, 1],
  ['with a fault is asked for a read once more', 500, 'the database did not answer', 2],
])('a server %s', async (_what, status, error, times) => {
  const { url, passed } = await startProxy(databaseUrl(), () => ({ status, body: '{}' }))
  const db = open(url)
  await expect(db.batch([db.all(sql`SELECT 1`)])).rejects.toThrow(error)
  expect(passed).toHaveLength(times)
})

test('reads and writes have separate limits', async () => {
  const { url } = await startSilentServer()
  const gates = { read: new CallGate(2, Date.now), write: new CallGate(1, Date.now) }
  const db = openDatabase({ connections: connectionsTo(url), gates, timeoutMs: 500 })
  const read = () => db.batch([db.all(sql`SELECT 1`)])
  const write = () => db.batch([db.run(sql`UPDATE users SET username = username`)])
  // All at once: the first must not end before the last begins.
  const outcomes = await Promise.allSettled([write(), read(), read(), write(), read()])
  const unanswered = { status: 'rejected', reason: expect.any(DatabaseUnavailable) }
  const refused = { status: 'rejected', reason: new DatabaseBusy('too many calls in flight') }
  expect(outcomes).toEqual([unanswered, unanswered, unanswered, refused, refused])
})

test('a named batch runs in order and returns results by name; a list has one name, null is skipped', async () => {
  const db = open(databaseUrl())
  const table = sql`named`
  const add = (content: string) => db.run(sql`INSERT INTO ${table} VALUES (${content})`)
  const contents = db.all<{ content: string }>(sql`SELECT content FROM ${table}`)
  const results = await db.batch({
    created: db.run(sql`CREATE TABLE ${table} (content TEXT)`),
    before: contents,
    added: [add('one'), add('two')],
    skipped: null,
    after: contents,
    dropped: db.run(sql`DROP TABLE ${table}`),
  })
  expect(results.before).toEqual([])
  expect(results.added.map(({ rowsAffected }) => rowsAffected)).toEqual([1, 1])
  expect(results.skipped).toBeNull()
  expect(results.after).toEqual([{ content: 'one' }, { content: 'two' }])
  expect(db.roundTrips()).toBe(1)
})

test('a batch without statements is not sent', async () => {
  const db = open(databaseUrl())
  expect(await db.batch({ none: [], skipped: null })).toEqual({ none: [], skipped: null })
  expect(db.roundTrips()).toBe(0)
})

test('a call beyond the limit is rejected at once, and accepted when another one is done', async () => {
  const gate = new CallGate(2, Date.now)
  const { promise, resolve } = Promise.withResolvers<string>()
  const first = gate.pass(() => promise)
  const second = gate.pass(() => promise)
  await expect(gate.pass(() => promise)).rejects.toBeInstanceOf(DatabaseBusy)
  resolve('done')
  expect(await Promise.all([first, second])).toEqual(['done', 'done'])
  expect(await gate.pass(() => Promise.resolve('next'))).toBe('next')
})

test('a call that fails frees its place', async () => {
  const gate = new CallGate(1, Date.now)
  await expect(gate.pass(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await gate.pass(() => Promise.resolve('next'))).toBe('next')
})

test('a call that was cut off frees its place after a minute', async () => {
  let now = 0
  const gate = new CallGate(1, () => now)
  const cutOff = new Promise<never>(() => undefined)
  void gate.pass(() => cutOff)
  now += 59_999
  await expect(gate.pass(() => cutOff)).rejects.toBeInstanceOf(DatabaseBusy)
  now += 1
  expect(await gate.pass(() => Promise.resolve('next'))).toBe('next')
})
