import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testFolder } from '../harness/test-folder.ts'
import { meEndpoint } from '../../src/contract/account.ts'
import { planAmountsEndpoint } from '../../src/contract/plans.ts'
import { healthEndpoint, liveEndpoint } from '../../src/contract/health.ts'
import { SERVER } from '../../src/contract/messages.ts'
import { useTokensEndpoint } from '../../src/contract/report-usage.ts'
import { submitTicketEndpoint } from '../../src/contract/support.ts'
import { applyMigrations } from '../../tools/services/migrate.ts'
import { ask, askGood, bad } from '../harness/ask.ts'
import { createMember, type MemberOptions, PASSWORD } from '../harness/member.ts'
import { type Site, startSite } from '../harness/services.ts'
import { database } from '../harness/stored.ts'
import { newVisitor } from '../harness/visitor.ts'

// A separate site, because its database is killed and migrated.
let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

const visitor = () => newVisitor(site.worker.url)
const createUser = (options: MemberOptions = {}) =>
  createMember({ ...options, siteUrl: site.worker.url, databaseUrl: site.sqld.url })

// First, because health remembers for ten seconds that the database answered.
test('while the database answers nobody, health says so and no call waits for ever; once it answers, all do', async () => {
  const [reader, writer] = [await createUser(), await createUser({ tokens: 1_000 })]
  const spend = () => ask(writer, useTokensEndpoint, { body: { amount: 1 } })
  site.sqld.freeze()
  const health = bad(await ask(visitor(), healthEndpoint))
  expect(health).toMatchObject({ status: 503, code: 'NOT_READY' })
  const ended: string[] = []
  const [read, flood] = await Promise.all([
    ask(reader, meEndpoint).finally(() => ended.push('read')),
    Promise.all(Array.from({ length: 100 }, spend)).finally(() => ended.push('writes')),
  ])
  site.sqld.thaw()
  expect(ended).toEqual(['read', 'writes'])
  expect(bad(read)).toMatchObject({ status: 503, code: 'DATABASE_UNAVAILABLE' })
  // Beyond 64 writes in flight, further ones do not wait.
  expect(flood.map(({ status }) => status)).toEqual(Array(100).fill(503))
  const refused = flood.filter((answer) => bad(answer).code === 'OVERLOADED')
  expect(refused.length).toBeGreaterThanOrEqual(36)
  expect(Number(refused[0]?.headers.get('Retry-After'))).toBeGreaterThan(0)
  await askGood(reader, meEndpoint)
  await askGood(writer, useTokensEndpoint, { body: { amount: 1 } })
})

test('while the database is down calls answer 503 with a sentence and Retry-After; afterwards nothing is lost', async () => {
  const user = await createUser({ tokens: 1_000 })
  await askGood(user, useTokensEndpoint, { body: { amount: 10 }, idempotencyKey: 'before' })
  await site.sqld.kill()
  const ticket = { body: { email: 'a@example.test', query: 'Hello' } }
  const answers = [
    await ask(user, meEndpoint),
    await ask(user, useTokensEndpoint, { body: { amount: 10 }, idempotencyKey: 'during' }),
    await ask(visitor(), submitTicketEndpoint, ticket),
  ]
  for (const answer of answers) {
    expect(bad(answer)).toMatchObject({
      status: 503,
      code: 'DATABASE_UNAVAILABLE',
      message: SERVER.database,
    })
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0)
  }
  // The Worker is alive but not ready, and health names the part that is down.
  await askGood(visitor(), liveEndpoint)
  await askGood(visitor(), planAmountsEndpoint)
  expect(bad(await ask(visitor(), healthEndpoint))).toMatchObject({
    status: 503,
    code: 'NOT_READY',
    message: 'Down: database',
  })
  await site.sqld.restart()
  expect((await askGood(user, meEndpoint)).user.tokens).toEqual({ used: 10, total: 1_000 })
  const input = { body: { amount: 10 }, idempotencyKey: 'during' }
  expect((await askGood(user, useTokensEndpoint, input)).tokens.used).toBe(20)
  expect((await askGood(user, useTokensEndpoint, input)).tokens.used).toBe(20)
  await askGood(visitor(), healthEndpoint)
})

test('a database that dies during calls keeps every write that was answered with success', async () => {
  const user = await createUser({ tokens: 100_000 })
  const spend = () => ask(user, useTokensEndpoint, { body: { amount: 1 } })
  const first = Array.from({ length: 20 }, spend)
  const killed = Promise.all(first.slice(0, 5)).then(() => site.sqld.kill())
  const second = Array.from({ length: 20 }, spend)
  const answers = await Promise.all([...first, ...second])
  await killed
  await site.sqld.restart()
  const done = answers.filter(({ status }) => status === 200).length
  for (const { status } of answers) expect([200, 503]).toContain(status)
  const { used } = (await askGood(user, meEndpoint)).user.tokens
  expect(used).toBeGreaterThanOrEqual(done)
  expect(used).toBeLessThanOrEqual(answers.length)
})

/** Writes a migration as a next release could have: a new column in every table, and a new table. */
async function writeNextMigration() {
  const [tables] = await database(site.sqld.url).batch([
    database(site.sqld.url).all<{ name: string }>(sql`
      SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
        AND name NOT LIKE 'libsql_%' AND name NOT LIKE '\\_%' ESCAPE '\\'`),
  ])
  expect(tables.length).toBeGreaterThan(12)
  const path = testFolder('next-migration')
  const columns = tables.map(
    ({ name }) => `ALTER TABLE \`${name}\` ADD \`next_release\` text DEFAULT 'x' NOT NULL`,
  )
  const statements = [...columns, 'CREATE TABLE `next_release` (`id` text PRIMARY KEY NOT NULL)']
  mkdirSync(join(path, 'meta'))
  writeFileSync(join(path, 'meta/_journal.json'), '{"entries":[{"tag":"9999_next"}]}')
  writeFileSync(join(path, '9999_next.sql'), statements.join(';\n--> statement-breakpoint\n'))
  return path
}

test('calls succeed once the next migration is applied and before the next Worker is deployed', async () => {
  const user = await createUser({ hasPlan: true })
  const folder = await writeNextMigration()
  expect(await applyMigrations({ url: site.sqld.url, folder })).toEqual(['9999_next'])
  const username = 'after_migration'
  const person = { username, email: `${username}@example.test`, password: PASSWORD }
  const answers = [
    await visitor().call('/api/auth/register', { json: { ...person, confirmPassword: PASSWORD } }),
    await visitor().call('/api/support/submit', { json: { email: person.email, query: 'Hello' } }),
    await visitor().call('/api/device/code', { json: {} }),
    await user.call('/api/auth/me'),
    await user.call('/api/auth/export'),
    await user.call('/api/payment/purchases'),
    await user.call('/api/subscription/use-tokens', { json: { amount: 1 } }),
    await (await createUser()).call('/api/payment/create-order', { json: { planType: 'pro' } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
})
