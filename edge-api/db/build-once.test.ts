import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { databaseUrl } from '#harness/fixture/fixture.ts'
import { buildOnce } from './build-once.ts'
import { Connections } from './connections.ts'
import { openDatabase, type Database } from './database.ts'
import { dailyCounts } from './schema/records.ts'

const connections = new Connections({
  url: databaseUrl(),
  authToken: '',
  clock: Date.now,
})
const open = () => openDatabase({ connections })

let built = 0
const countOf = buildOnce((db: Database) => {
  built += 1
  return db
    .select({ count: dailyCounts.count })
    .from(dailyCounts)
    .where(eq(dailyCounts.keyHash, sql.placeholder('key')))
})

test('a statement is built once and takes the values of each use, in one batch too', async () => {
  const enter = buildOnce((db: Database) =>
    db.run(sql`INSERT INTO ${dailyCounts} (key_hash, kind, day, count)
      VALUES (${sql.placeholder('key')}, 'built', 20000, ${sql.placeholder('count')})
      ON CONFLICT DO NOTHING`),
  )
  const [one, other] = [open(), open()]
  const results = await one.batch({
    first: enter({ db: one }, { key: 'built-1', count: 11 }),
    second: enter({ db: one }, { key: 'built-2', count: 22 }),
    ones: countOf({ db: one }, { key: 'built-1' }),
    others: countOf({ db: one }, { key: 'built-2' }),
  })
  expect(results.ones).toEqual([{ count: 11 }])
  expect(results.others).toEqual([{ count: 22 }])
  // Another request has a client of its own.
  const { again } = await other.batch({ again: countOf({ db: other }, { key: 'built-2' }) })
  expect(again).toEqual([{ count: 22 }])
  expect(built).toBe(1)
})

test('a use without one of the values is rejected', async () => {
  const db = open()
  await expect(db.batch({ rows: countOf({ db }, {}) })).rejects.toThrow('"key"')
})
