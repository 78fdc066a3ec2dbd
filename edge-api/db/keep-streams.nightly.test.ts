import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startNotes } from '#harness/notes-database.ts'

/** A table that takes a text twice, and writers that note what was acknowledged. */
async function openWriters() {
  const { sqld, passed, direct, db } = await startNotes()
  await direct.batch([direct.run(sql`CREATE TABLE written (content TEXT)`)])
  const acknowledged: string[] = []
  const writeWith = (through: typeof db) => async (content: string) => {
    await through.batch([through.run(sql`INSERT INTO written VALUES (${content})`)])
    acknowledged.push(content)
  }
  /** Each acknowledged write is there once; no other is there twice. */
  const expectEachOnce = async () => {
    const rows = direct.all<{ content: string }>(sql`SELECT content FROM written`)
    const found = (await direct.batch({ rows })).rows.map(({ content }) => content)
    expect(new Set(found).size).toBe(found.length)
    expect(found).toEqual(expect.arrayContaining(acknowledged))
  }
  return { sqld, passed, viaProxy: writeWith(db), write: writeWith(direct), expectEachOnce }
}

test('24 writers while the server is killed and started again three times', async () => {
  const { sqld, write, expectEachOnce } = await openWriters()
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
  const { sqld, passed, viaProxy, expectEachOnce } = await openWriters()
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
