import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { startProxy } from '../../tests/harness/database-proxy.ts'
import { startSqld } from '../../tests/harness/services.ts'
import { Connections } from './connections.ts'
import { openDatabase } from './database.ts'

/** A separate database, its connections on the test's clock, and whether each round trip opened one. */
async function watched() {
  const sqld = await startSqld({ isMigrated: false })
  onTestFinished(sqld.stop)
  const { url, passed } = await startProxy(sqld.url)
  const clock = { now: 0 }
  const connections = new Connections({ url, authToken: '', clock: () => clock.now })
  const roundTrips = () =>
    passed.map(({ request, status }) => {
      const begins = request.includes('"baton":null')
      return `${begins ? 'begins' : 'goes on'} ${status}`
    })
  return { sqld, roundTrips, clock, open: () => openDatabase({ connections }) }
}

/** Reads through a separate database object, as each request does. */
async function read(open: () => ReturnType<typeof openDatabase>) {
  const db = open()
  const [rows] = await db.batch([db.all<{ one: number }>(sql`SELECT 1 AS one`)])
  expect(rows).toEqual([{ one: 1 }])
}

test('round trips one after another use one connection, until it was idle for five seconds', async () => {
  const { roundTrips, clock, open } = await watched()
  await read(open)
  clock.now += 4_999
  await read(open)
  clock.now += 5_000
  await read(open)
  expect(roundTrips()).toEqual(['begins 200', 'goes on 200', 'begins 200'])
})

test('round trips at the same time have connections of their own, which later ones use', async () => {
  const { roundTrips, open } = await watched()
  const atOnce = () => Promise.all([read(open), read(open), read(open)])
  await atOnce()
  await atOnce()
  expect(roundTrips()).toEqual([...Array(3).fill('begins 200'), ...Array(3).fill('goes on 200')])
})

test('a write on a connection that the server has lost is executed once', async () => {
  const { sqld, roundTrips, open } = await watched()
  const table = open()
  await table.batch([table.run(sql`CREATE TABLE notes (content TEXT)`)])
  await sqld.kill()
  await sqld.restart()
  const db = open()
  await db.batch([db.run(sql`INSERT INTO notes VALUES ('once')`)])
  const { rows } = await db.batch({ rows: db.all(sql`SELECT content FROM notes`) })
  expect(rows).toEqual([{ content: 'once' }])
  expect(roundTrips()).toEqual(['begins 200', 'goes on 400', 'begins 200', 'goes on 200'])
})
