import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { meEndpoint } from '../../src/contract/account.ts'
import { exportDataEndpoint } from '../../src/contract/data-export.ts'
import { registerEndpoint } from '../../src/contract/session.ts'
import { ask, good } from '../harness/ask.ts'
import { createMember, type Member, signInAgain } from '../harness/member.ts'
import { newRegistration } from '../harness/registration.ts'
import { type Site, startSite } from '../harness/services.ts'
import { database } from '../harness/stored.ts'
import { newVisitor } from '../harness/visitor.ts'

const ROWS = 20_000

// A separate Worker, because a flood of the shared one would make other tests wait.
let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

const place = () => ({ siteUrl: site.worker.url, databaseUrl: site.sqld.url })

/** An account with many rows, and its other sessions. */
async function withRows(sessions: number): Promise<Member[]> {
  const member = await createMember(place())
  const db = database(site.sqld.url)
  await db.batch([
    db.run(sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
      INSERT INTO usage_sessions (user_id, session_id, mode, started_at)
      SELECT ${member.userId}, 'session-' || i, 'interview', 1 FROM n`),
  ])
  const others = Array.from({ length: sessions - 1 }, () => signInAgain(member, place()))
  return [member, ...(await Promise.all(others))]
}

test('forty exports at once of one account harm no stranger, and each is whole or refused for now', async () => {
  const sessions = await withRows(8)
  const flood = sessions.flatMap((session) =>
    Array.from({ length: 5 }, () => ask(session, exportDataEndpoint)),
  )
  const honest = await createMember(place())
  const calls = Array.from({ length: 10 }, async () => [
    await ask(honest, meEndpoint),
    await ask(newVisitor(site.worker.url), registerEndpoint, { body: newRegistration() }),
  ])
  const [answers, strangers] = await Promise.all([Promise.all(flood), Promise.all(calls)])
  expect(strangers.flat().filter(({ status }) => status === 200).length).toBeGreaterThan(18)
  const whole = answers.filter(({ status }) => status === 200)
  expect(whole.length).toBeGreaterThan(0)
  for (const answer of whole) {
    const { data } = good(exportDataEndpoint, answer)
    expect(data).toMatchObject({ incomplete: [] })
    expect(data['usageSessions']).toHaveLength(ROWS)
  }
  const refused = answers.filter(({ status }) => status !== 200)
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]))
  expect(refused.every(({ headers }) => Number(headers.get('Retry-After')) > 0)).toBe(true)
}, 60_000)

test('a reader who goes away gives the place of the account back', async () => {
  const [member] = await withRows(1)
  if (member === undefined) throw new Error('no account')
  const headers = { authorization: `Bearer ${member.bearer}`, 'cf-connecting-ip': member.address }
  for (let reader = 0; reader < 3; reader += 1) {
    const leaving = new AbortController()
    const url = new URL(exportDataEndpoint.path, site.worker.url)
    const { body, status } = await fetch(url, { headers, signal: leaving.signal })
    expect(status).toBe(200)
    await body?.getReader().read()
    leaving.abort()
  }
  expect((await ask(member, exportDataEndpoint)).status).toBe(200)
})
