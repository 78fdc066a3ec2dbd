import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { sql } from 'drizzle-orm'
import { expect, inject, onTestFinished, test } from 'vitest'
import { Breaker } from './breaker.ts'
import { DatabaseBusy } from './database-error.ts'
import { openDatabase } from './database.ts'
import { WriteGate } from './write-gate.ts'

/** A proxy before the database of this run, which answers the first `times` calls with "database is locked". */
async function lockedAtFirst(times: number) {
  const message = 'SQLite error: database is locked'
  let refused = 0
  let encodings: string | string[] | undefined
  const proxy = createServer((request, response) => {
    void (async () => {
      const body = await text(request)
      encodings = request.headers['accept-encoding']
      if (refused < times) {
        refused += 1
        const error = { type: 'error', error: { message, code: 'SQLITE_BUSY' } }
        const results = Array.from({ length: countRequests(body) }, () => error)
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ baton: null, base_url: null, results }))
        return
      }
      const headers = { 'content-type': 'application/json' }
      const url = new URL(request.url ?? '/', inject('databaseUrl'))
      const answer = await fetch(url, { method: request.method ?? 'POST', headers, body })
      response.statusCode = answer.status
      response.setHeader('content-type', 'application/json')
      response.end(await answer.text())
    })()
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  const url = `http://127.0.0.1:${address.port}`
  return { url, refused: () => refused, encodings: () => encodings }
}

function countRequests(body: string): number {
  const parsed: unknown = JSON.parse(body)
  const isPipeline = typeof parsed === 'object' && parsed !== null && 'requests' in parsed
  return isPipeline && Array.isArray(parsed.requests) ? parsed.requests.length : 0
}

const open = (url: string) =>
  openDatabase({ url, authToken: '', writeGate: new WriteGate(1, Date.now) })

test('a write to a locked database is sent again and executed once', async () => {
  const { url, refused } = await lockedAtFirst(3)
  const table = sql.identifier(`locked_${Date.now()}`)
  const direct = open(inject('databaseUrl'))
  await direct.batch([direct.run(sql`CREATE TABLE ${table} (content TEXT)`)])
  const db = open(url)
  await db.batch([db.run(sql`INSERT INTO ${table} VALUES ('once')`)])
  expect(refused()).toBe(3)
  const [rows] = await direct.batch([direct.all(sql`SELECT content FROM ${table}`)])
  expect(rows).toEqual([{ content: 'once' }])
})

test('answers are requested uncompressed, because compressing takes the server longer than reading', async () => {
  const { url, encodings } = await lockedAtFirst(0)
  const db = open(url)
  await db.batch([db.all(sql`SELECT 1`)])
  expect(encodings()).toBe('identity')
})

test('a database that stays locked counts as unavailable', async () => {
  const { url, refused } = await lockedAtFirst(Infinity)
  const db = open(url)
  const write = db.batch([db.run(sql`UPDATE users SET username = username`)])
  await expect(write).rejects.toThrow('the database did not answer')
  expect(refused()).toBe(41)
})

/** A server that takes calls and answers none, or each with this status. */
async function silentServer(status?: number) {
  let asked = 0
  const silent = createServer((_, response) => {
    asked += 1
    if (status !== undefined) response.writeHead(status).end('{"error":"Too many"}')
  })
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => {
    silent.closeAllConnections()
    silent.close()
  })
  const address = silent.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `http://127.0.0.1:${address.port}`, asked: () => asked }
}

test('a read that times out is not sent again', async () => {
  const { url, asked } = await silentServer()
  const db = openDatabase({
    url,
    authToken: '',
    writeGate: new WriteGate(1, Date.now),
    timeoutMs: 300,
  })
  const read = db.batch([db.all(sql`SELECT 1`)])
  await expect(read).rejects.toThrow('the database did not answer')
  expect(asked()).toBe(1)
})

test('a server that has too much to do is asked once, and passes for busy', async () => {
  const { url, asked } = await silentServer(429)
  const db = open(url)
  const read = db.batch([db.all(sql`SELECT 1`)])
  await expect(read).rejects.toBeInstanceOf(DatabaseBusy)
  expect(asked()).toBe(1)
})

test('a read that meets a fault of the server is sent once more', async () => {
  const { url, asked } = await silentServer(500)
  const db = open(url)
  const read = db.batch([db.all(sql`SELECT 1`)])
  await expect(read).rejects.toThrow('the database did not answer')
  expect(asked()).toBe(2)
})

test('that too many writes are under way does not pass for an answer of the server', async () => {
  const { url } = await silentServer()
  let now = 0
  const breaker = new Breaker(() => now)
  const writeGate = new WriteGate(1, Date.now)
  const db = openDatabase({ url, authToken: '', writeGate, breaker, timeoutMs: 2_000 })
  const read = () => db.batch([db.all(sql`SELECT 1`)])
  const write = () => db.batch([db.run(sql`UPDATE users SET username = username`)])
  const waiting = Promise.allSettled([write(), read(), read(), read()])
  now = 3_000
  await expect(write()).rejects.toThrow('too many writes in flight')
  now = 6_000
  await expect(read()).rejects.toThrow('the database answers nobody')
  await waiting
})

test('a named batch runs in order and returns results by name; a list has one name, null is skipped', async () => {
  const db = open(inject('databaseUrl'))
  const table = sql.identifier(`named_${Date.now()}`)
  const add = (content: string) => db.run(sql`INSERT INTO ${table} VALUES (${content})`)
  const contents = db.all<{ content: string }>(sql`SELECT content FROM ${table}`)
  const results = await db.batch({
    created: db.run(sql`CREATE TABLE ${table} (content TEXT)`),
    before: contents,
    added: [add('one'), add('two')],
    skipped: null,
    after: contents,
  })
  expect(results.before).toEqual([])
  expect(results.added.map(({ rowsAffected }) => rowsAffected)).toEqual([1, 1])
  expect(results.skipped).toBeNull()
  expect(results.after).toEqual([{ content: 'one' }, { content: 'two' }])
  expect(db.trips()).toBe(1)
})

test('a batch without statements is not sent', async () => {
  const db = open(inject('databaseUrl'))
  expect(await db.batch({ none: [], skipped: null })).toEqual({ none: [], skipped: null })
  expect(db.trips()).toBe(0)
})
