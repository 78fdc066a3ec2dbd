import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { startProxy } from '../../tests/harness/database-proxy.ts'
import { startSqld } from '../../tests/harness/services.ts'
import { Connections } from './connections.ts'
import { openDatabase } from './database.ts'

/** A separate database with a table of notes, and writers that note what was acknowledged. */
async function setUp() {
  const sqld = await startSqld({ isMigrated: false })
  onTestFinished(sqld.stop)
  const { url, passed } = await startProxy(sqld.url)
  const openAt = (address: string) =>
    openDatabase({ connections: new Connections({ url: address, authToken: '', clock: () => 0 }) })
  const direct = openAt(sqld.url)
  await direct.batch([direct.run(sql`CREATE TABLE notes (content TEXT)`)])
  const acknowledged: string[] = []
  const writeWith = (db: typeof direct) => async (content: string) => {
    await db.batch([db.run(sql`INSERT INTO notes VALUES (${content})`)])
    acknowledged.push(content)
  }
  /** Each acknowledged write is there once; no other is there twice. */
  const expectEachOnce = async () => {
    const rows = direct.all<{ content: string }>(sql`SELECT content FROM notes`)
    const found = (await direct.batch({ rows })).rows.map(({ content }) => content)
    expect(new Set(found).size).toBe(found.length)
    expect(found).toEqual(expect.arrayContaining(acknowledged))
  }
  return {
    sqld,
    passed,
    viaProxy: writeWith(openAt(url)),
    write: writeWith(direct),
    expectEachOnce,
  }
}

test('24 writers while the server is killed and started again three times', async () => {
  const { sqld, write, expectEachOnce } = await setUp()
  let isOver = false
  const writers = Array.from({ length: 24 }, async (_, writer) => {
    for (let n = 0; !isOver; n += 1) await write(`${writer}-${n}`).catch(() => sleep(5))
  })
  for (let times = 0; times < 3; times += 1) {
    await sleep(1_500)
    await sqld.kill()
    await sqld.restart()
  }
  await sleep(1_000)
  isOver = true
  await Promise.all(writers)
  await expectEachOnce()
})

test('32 writers that fight for the lock, which a transaction holds for a second', async () => {
  const { sqld, passed, viaProxy, expectEachOnce } = await setUp()
  const hold = async (baton: string | null, text: string): Promise<string> => {
    const body = JSON.stringify({ baton, requests: [{ type: 'execute', stmt: { sql: text } }] })
    const answer = await fetch(`${sqld.url}/v2/pipeline`, { method: 'POST', body })
    return z.object({ baton: z.string() }).parse(await answer.json()).baton
  }
  const baton = await hold(null, 'BEGIN IMMEDIATE')
  const writers = Array.from({ length: 32 }, async (_, writer) => {
    for (let n = 0; n < 20; n += 1) await viaProxy(`${writer}-${n}`)
  })
  await sleep(1_000)
  await hold(baton, 'ROLLBACK')
  await Promise.all(writers)
  // The server lets some wait, and rejects others.
  expect(passed.length).toBeGreaterThanOrEqual(32 * 20)
  await expectEachOnce()
})
