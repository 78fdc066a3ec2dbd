import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { meEndpoint } from '../../src/contract/account.ts'
import { planAmountsEndpoint } from '../../src/contract/catalogue.ts'
import { healthEndpoint, liveEndpoint } from '../../src/contract/health.ts'
import { SERVER } from '../../src/contract/messages.ts'
import { submitTicketEndpoint } from '../../src/contract/support.ts'
import { useTokensEndpoint } from '../../src/contract/report-usage.ts'
import { ask, askGood, bad } from '../harness/ask.ts'
import { createMember, type MemberOptions } from '../harness/member.ts'
import { type Site, startSite } from '../harness/services.ts'
import { newVisitor } from '../harness/visitor.ts'

// A separate site, because its database is killed.
const state: { site?: Site } = {}
beforeAll(async () => {
  state.site = await startSite()
})
afterAll(() => state.site?.stop())

function site(): Site {
  if (state.site === undefined) throw new Error('the site did not start')
  return state.site
}

const visitor = () => newVisitor(site().worker.url)
const member = (options: MemberOptions = {}) =>
  createMember({ ...options, siteUrl: site().worker.url, databaseUrl: site().sqld.url })

test('while the database is down calls answer 503 with a sentence and Retry-After; afterwards nothing is lost', async () => {
  const someone = await member({ tokens: 1_000 })
  await askGood(someone, useTokensEndpoint, { body: { amount: 10 }, idempotencyKey: 'before' })
  await site().sqld.kill()
  const ticket = { body: { email: 'a@example.test', query: 'Hello' } }
  const answers = [
    await ask(someone, meEndpoint),
    await ask(someone, useTokensEndpoint, { body: { amount: 10 }, idempotencyKey: 'during' }),
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
  await site().sqld.restart()
  expect((await askGood(someone, meEndpoint)).user.tokens).toEqual({ used: 10, total: 1_000 })
  const input = { body: { amount: 10 }, idempotencyKey: 'during' }
  expect((await askGood(someone, useTokensEndpoint, input)).tokens.used).toBe(20)
  expect((await askGood(someone, useTokensEndpoint, input)).tokens.used).toBe(20)
  await askGood(visitor(), healthEndpoint)
})

test('a database that answers nobody makes two callers wait for long, and nobody once it answers', async () => {
  const [reader, writer] = [await member(), await member({ tokens: 1_000 })]
  const calls = [
    () => ask(reader, meEndpoint),
    () => ask(writer, useTokensEndpoint, { body: { amount: 1 } }),
  ]
  const atOnce = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, each) => calls[each % 2]).map(timed))
  site().sqld.freeze()
  const first = atOnce(80)
  await pause(7_000)
  const later = await atOnce(20)
  const waited = [...(await first), ...later]
  site().sqld.thaw()
  for (const { status } of waited) expect(status).toBe(503)
  expect(waited.filter(({ ms }) => ms > 8_000).length).toBeLessThanOrEqual(2)
  expect(later.filter(({ ms }) => ms > 2_000)).toEqual([])
  await askGood(reader, meEndpoint)
  await askGood(writer, useTokensEndpoint, { body: { amount: 1 } })
})

/** The status of a call and how long it took, in milliseconds. */
async function timed(call = () => ask(visitor(), meEndpoint)) {
  const startedAt = performance.now()
  const { status } = await call()
  return { status, ms: performance.now() - startedAt }
}

test('a database that dies during calls keeps every write that was answered with success', async () => {
  const someone = await member({ tokens: 100_000 })
  const spend = () => ask(someone, useTokensEndpoint, { body: { amount: 1 } })
  const first = Array.from({ length: 20 }, spend)
  const killed = Promise.all(first.slice(0, 5)).then(() => site().sqld.kill())
  const second = Array.from({ length: 20 }, spend)
  const answers = await Promise.all([...first, ...second])
  await killed
  await site().sqld.restart()
  const done = answers.filter(({ status }) => status === 200).length
  for (const { status } of answers) expect([200, 503]).toContain(status)
  const { used } = (await askGood(someone, meEndpoint)).user.tokens
  expect(used).toBeGreaterThanOrEqual(done)
  expect(used).toBeLessThanOrEqual(answers.length)
})
