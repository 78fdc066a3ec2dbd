import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { add, startNotes } from '#harness/notes-database.ts'
import { openDatabase } from './database.ts'

test('a statement that fails, at each place of a batch, undoes the batch and leaves the stream usable', async () => {
  const { db, contents, opened } = await startNotes()
  await db.batch([db.run(add('taken'))])
  for (let failing = 0; failing < 5; failing += 1) {
    const batch = ['a', 'b', 'c', 'd', 'e'].map((content, place) =>
      db.run(add(place === failing ? 'taken' : content)),
    )
    await expect(db.batch({ batch })).rejects.toThrow('UNIQUE')
    await db.batch([db.run(add(`after ${failing}`))])
  }
  expect(await contents()).toEqual(['taken', ...[0, 1, 2, 3, 4].map((place) => `after ${place}`)])
  expect(opened()).toEqual([true, ...Array(10).fill(false)])
})

test('a stream in which a transaction stays open is not used again', async () => {
  const { connections, opened } = await startNotes()
  const send = (text: string) => connections.send([{ sql: text, args: [] }], 'read', 5_000)
  for (const text of ['SELECT 1', 'BEGIN', 'SELECT 1', 'SELECT 1']) await send(text)
  expect(opened()).toEqual([true, false, true, false])
})

test('a write whose answer is lost is not sent again', async () => {
  let asked = 0
  const { db, contents } = await startNotes(() => ((asked += 1) % 2 === 0 ? 'lost' : null))
  await db.batch([db.run(add('one'))])
  await expect(db.batch([db.run(add('two'))])).rejects.toThrow('the database did not answer')
  await db.batch([db.run(add('three'))])
  expect(asked).toBe(3)
  expect(await contents()).toEqual(['one', 'two', 'three'])
})

test('a baton that was used already does not prove that nothing ran: the write is not sent again', async () => {
  let asked = 0
  const { db, opened } = await startNotes(() => {
    asked += 1
    return asked === 2 ? { status: 400, body: 'Received a baton that has already been used' } : null
  })
  await db.batch([db.run(add('one'))])
  await expect(db.batch([db.run(add('two'))])).rejects.toThrow('the database did not answer')
  expect(opened()).toEqual([true, false])
})

test('a write that the server runs after the time limit runs once, and its stream is not used again', async () => {
  const held = Promise.withResolvers<null>()
  const { connections, contents, opened } = await startNotes((request) =>
    request.includes('two') ? held.promise : null,
  )
  const hurried = openDatabase({ connections, timeoutMs: 50 })
  const patient = openDatabase({ connections })
  await patient.batch([patient.run(add('one'))])
  await expect(hurried.batch([hurried.run(add('two'))])).rejects.toThrow('did not answer')
  held.resolve(null)
  await expect.poll(contents).toEqual(['one', 'two'])
  // The proxy records a call once its answer has passed.
  await expect.poll(opened).toHaveLength(2)
  await patient.batch([patient.run(add('three'))])
  expect(await contents()).toEqual(['one', 'two', 'three'])
  expect(opened()).toEqual([true, false, true])
})

test('batches of ever other texts go over one stream, short and long ones, and one that quotes the protocol', async () => {
  const { db, contents, opened } = await startNotes()
  for (let n = 0; n < 40; n += 1) {
    const quoted = sql.raw(`SELECT '{"type":"store_sql","sql_id":${n},"type":"close"}]}' AS a`)
    const { rows } = await db.batch({
      short: db.run(sql.raw(`INSERT INTO notes VALUES ('${n}') /* ${n % 7} */`)),
      long: db.run(
        sql.raw(`INSERT INTO notes VALUES ('${n}x') /* ${'é'.repeat((n % 3) * 2_400)} */`),
      ),
      rows: db.all(quoted),
    })
    expect(rows).toEqual([{ a: `{"type":"store_sql","sql_id":${n},"type":"close"}]}` }])
  }
  expect(await contents()).toHaveLength(80)
  expect(opened().filter(Boolean)).toHaveLength(1)
})

test('texts, numbers, truths and null come back; a whole number that would lose digits is an error with a code', async () => {
  const { connections, db } = await startNotes()
  const values = sql`SELECT ${1} AS a, ${1.5} AS b, ${null} AS c, ${'d'} AS d, 9007199254740991 AS e, ${true} AS f`
  const { rows } = await db.batch({ rows: db.all(values) })
  expect(rows).toEqual([{ a: 1, b: 1.5, c: null, d: 'd', e: 9007199254740991, f: 1 }])
  for (const mode of ['read', 'write'] as const) {
    const big = connections.send([{ sql: 'SELECT 9007199254740993', args: [] }], mode, 5_000)
    await expect(big).rejects.toMatchObject({ name: 'LibsqlError', code: 'HRANA_PROTO_ERROR' })
  }
})

test('the error of a batch gives its code once', async () => {
  const { connections } = await startNotes()
  const insert = { sql: `INSERT INTO notes VALUES ('a')`, args: [] }
  const twice = connections.send([insert, insert], 'write', 5_000)
  await expect(twice).rejects.toMatchObject({
    code: 'SQLITE_CONSTRAINT',
    message: expect.stringMatching(/^SQLITE_CONSTRAINT: (?!.*SQLITE_CONSTRAINT)/),
  })
})
