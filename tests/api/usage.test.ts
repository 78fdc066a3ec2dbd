import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { SERVER } from '../../src/contract/messages.ts'
import { currentSubscriptionEndpoint } from '../../src/contract/subscription.ts'
import { recordUsageSessionEndpoint, useTokensEndpoint } from '../../src/contract/report-usage.ts'
import { ask, askGood, bad } from '../harness/ask.ts'
import { createMember } from '../harness/member.ts'

test('one token is used by default, and none when too few are left', async () => {
  const member = await createMember({ tokens: 100 })
  const one = await askGood(member, useTokensEndpoint)
  expect(one).toMatchObject({ used: 1, tokens: { used: 1, total: 100 } })
  const many = await ask(member, useTokensEndpoint, { body: { amount: 100 } })
  expect(bad(many)).toMatchObject({
    status: 402,
    code: 'INSUFFICIENT_TOKENS',
    message: SERVER.insufficientTokens,
  })
  expect((await askGood(member, currentSubscriptionEndpoint)).tokens.used).toBe(1)
})

test('five uses with one Idempotency-Key count once, and another amount with that key is 409', async () => {
  const member = await createMember({ tokens: 100 })
  const body = { amount: 10 }
  const idempotencyKey = randomUUID()
  const tries = Array.from({ length: 5 }, () =>
    askGood(member, useTokensEndpoint, { body, idempotencyKey }),
  )
  const answers = await Promise.all(tries)
  expect(new Set(answers.map(({ tokens }) => tokens.used))).toEqual(new Set([10]))
  const other = await ask(member, useTokensEndpoint, { body: { amount: 11 }, idempotencyKey })
  expect(bad(other)).toMatchObject({ status: 409, code: 'IDEMPOTENCY_KEY_REUSED' })
  const badKey = await ask(member, useTokensEndpoint, { body, idempotencyKey: 'a'.repeat(101) })
  expect(bad(badKey).errors?.[0]?.path).toBe('Idempotency-Key')
})

test('of fifty uses of 10 tokens at once with 100 left, ten succeed and forty are 402', async () => {
  const member = await createMember({ tokens: 100 })
  const uses = Array.from({ length: 50 }, () =>
    ask(member, useTokensEndpoint, { body: { amount: 10 } }),
  )
  const statuses = (await Promise.all(uses)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(10)
  expect(statuses.filter((status) => status === 402)).toHaveLength(40)
  expect((await askGood(member, currentSubscriptionEndpoint)).tokens).toEqual({
    used: 100,
    total: 100,
  })
})

test('starting or ending a usage session twice, or several times at once, changes nothing', async () => {
  const member = await createMember({ tokens: 1_000 })
  const sessionId = `meeting-${randomUUID()}`
  const record = (body: object) =>
    askGood(member, recordUsageSessionEndpoint, {
      body: recordUsageSessionEndpoint.body.parse({ sessionId, ...body }),
    })
  const start = { event: 'start', mode: 'meeting' }
  const starts = await Promise.all([record(start), record(start), record(start)])
  expect(new Set(starts.map(({ session }) => session.startedAt)).size).toBe(1)
  // The same id with another mode is still the same usage session.
  const again = await record({ event: 'start', mode: 'sales' })
  expect(again.session).toEqual(starts[0]?.session)
  const use = {
    body: { amount: 30, sessionId, mode: 'meeting' },
    idempotencyKey: randomUUID(),
  } as const
  await askGood(member, useTokensEndpoint, use)
  const ends = await Promise.all([
    record({ event: 'end', succeeded: true, secondsSaved: 60 }),
    record({ event: 'end', succeeded: false, secondsSaved: 0 }),
  ])
  expect(ends[0].session).toEqual(ends[1].session)
  const later = await record({ event: 'end', secondsSaved: 86_400 })
  expect(later.session).toEqual(ends[0].session)
  expect(later.session).toMatchObject({ mode: 'meeting', tokensUsed: 30 })
  // Tokens reported after the end are still counted, once.
  const { tokens } = await askGood(member, useTokensEndpoint, use)
  expect(tokens).toEqual({ used: 30, total: 1_000 })
})

test('ending a usage session that never started is 404', async () => {
  const body = { event: 'end', sessionId: `meeting-${randomUUID()}` } as const
  const answer = await ask(await createMember(), recordUsageSessionEndpoint, { body })
  expect(bad(answer)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
})
