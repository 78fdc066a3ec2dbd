import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { add, startNotes } from '#harness/notes-database.ts'
import { openDatabase } from './database.ts'

/** A separate database with the test's clock, and whether each round trip opened a connection. */
async function watched() {
  const { opened, passed, connections, ...others } = await startNotes()
  const roundTrips = () =>
    opened().map((begins, at) => `${begins ? 'begins' : 'goes on'} ${passed[at]?.status}`)
  return { ...others, roundTrips, open: () => openDatabase({ connections }) }
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
  const { sqld, roundTrips, contents, open } = await watched()
  await read(open)
  await sqld.kill()
  await sqld.restart()
  const db = open()
  await db.batch([db.run(add('once'))])
  await read(open)
  expect(roundTrips()).toEqual(['begins 200', 'goes on 400', 'begins 200', 'goes on 200'])
  expect(await contents()).toEqual(['once'])
})
