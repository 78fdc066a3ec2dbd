import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { startSqld } from '../../tests/harness/services.ts'
import { openDatabase } from './database.ts'
import { Streams } from './streams.ts'
import { WriteGate } from './write-gate.ts'

/**
 * A database with its streams on a clock of the test, behind a proxy that notes what begins and ends, and that has no
 * connection left while `state.isFull`.
 */
async function watched() {
  const state = { isFull: false }
  const sqld = await startSqld({ isMigrated: false })
  const seen: string[] = []
  const proxy = createServer((request, response) => {
    void (async () => {
      const body = await text(request)
      const begins = body.includes('"baton":null')
      const ends = body.includes('"type":"close"')
      if (begins && state.isFull) {
        response.writeHead(429, { 'content-type': 'application/json' })
        response.end('{"error":"Timed out while opening database connection"}')
        return
      }
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(new URL(request.url ?? '/', sqld.url), {
        method: 'POST',
        headers,
        body,
      })
      seen.push(`${begins ? 'begins' : 'goes on'}${ends ? ', ends' : ''} ${answer.status}`)
      response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? 'text/plain',
      })
      response.end(await answer.text())
    })()
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    proxy.close()
    await sqld.stop()
  })
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  const clock = { now: 0 }
  const streams = new Streams(() => clock.now)
  const url = `http://127.0.0.1:${address.port}`
  const open = () =>
    openDatabase({ url, authToken: '', writeGate: new WriteGate(20, Date.now), streams })
  return { sqld, seen, clock, state, open }
}

/** Reads through a database of its own, as each request does. */
async function read(open: () => ReturnType<typeof openDatabase>) {
  const db = open()
  const [rows] = await db.batch([db.all<{ one: number }>(sql`SELECT 1 AS one`)])
  expect(rows).toEqual([{ one: 1 }])
}

test('trips that come soon one after another go on with one stream; rare ones begin and end their own', async () => {
  const { seen, clock, open } = await watched()
  await read(open)
  clock.now += 50
  await read(open)
  await read(open)
  clock.now += 1_000
  await read(open)
  await read(open)
  expect(seen).toEqual([
    'begins, ends 200',
    'begins 200',
    'goes on 200',
    'goes on, ends 200',
    'begins 200',
  ])
})

test('trips at the same time have streams of their own, of which sixteen are left open and kept', async () => {
  const { seen, open } = await watched()
  const atOnce = () => Promise.all(Array.from({ length: 20 }, () => read(open)))
  const count = (what: string) => seen.filter((one) => one === what).length
  await atOnce()
  expect(count('begins 200')).toBe(16)
  expect(count('begins, ends 200')).toBe(4)
  seen.length = 0
  await atOnce()
  expect(count('goes on 200')).toBe(16)
  expect(count('begins, ends 200')).toBe(4)
})

test('a write on a stream that the server has lost is executed once', async () => {
  const { sqld, seen, open } = await watched()
  const table = open()
  await table.batch([table.run(sql`CREATE TABLE notes (content TEXT)`)])
  await read(open)
  await sqld.kill()
  await sqld.restart()
  const db = open()
  await db.batch([db.run(sql`INSERT INTO notes VALUES ('once')`)])
  const { rows } = await db.batch({ rows: db.all(sql`SELECT content FROM notes`) })
  expect(rows).toEqual([{ content: 'once' }])
  expect(seen).toEqual([
    'begins, ends 200',
    'begins 200',
    'goes on 400',
    'begins 200',
    'goes on 200',
  ])
})

test('a batch that fails leaves no transaction open on its stream', async () => {
  const { seen, open } = await watched()
  const db = open()
  await db.batch([db.run(sql`CREATE TABLE notes (content TEXT PRIMARY KEY)`)])
  const add = (content: string) => db.run(sql`INSERT INTO notes VALUES (${content})`)
  await expect(db.batch([add('one'), add('one')])).rejects.toThrow('UNIQUE')
  await db.batch([add('two')])
  const { rows } = await db.batch({ rows: db.all(sql`SELECT content FROM notes`) })
  expect(rows).toEqual([{ content: 'two' }])
  expect(seen.slice(1)).toEqual(['begins 200', 'goes on 200', 'goes on 200'])
})

test('a stream that nobody used for five seconds is not tried again', async () => {
  const { seen, clock, open } = await watched()
  await read(open)
  await read(open)
  clock.now += 5_000
  await read(open)
  expect(seen).toEqual(['begins, ends 200', 'begins 200', 'begins, ends 200'])
})

test('when the server has no connection left, those that are kept end, and none is kept for a minute', async () => {
  const { seen, clock, state, open } = await watched()
  const atOnce = () => Promise.allSettled([read(open), read(open)])
  await atOnce()
  state.isFull = true
  await Promise.allSettled([read(open), read(open)])
  seen.length = 0
  state.isFull = false
  await read(open)
  await read(open)
  expect(seen.every((what) => what.includes('ends'))).toBe(true)
  clock.now += 60_000
  await read(open)
  await read(open)
  expect(seen.at(-1)).toBe('begins 200')
})
