import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { recordUsageSessionEndpoint, useTokensEndpoint } from '../../src/contract/usage.ts'
import { ask, askGood, bad } from '../harness/ask.ts'
import { createMember } from '../harness/member.ts'

test('T4 tokens are not reserved but used: a session that starts and ends twice, or at once, changes nothing', async () => {
  const member = await createMember({ tokens: 1_000 })
  const sessionId = `meeting-${randomUUID()}`
  const record = (body: object) =>
    askGood(member, recordUsageSessionEndpoint, {
      body: recordUsageSessionEndpoint.body.parse({ sessionId, ...body }),
    })
  const start = { event: 'start', mode: 'meeting' }
  const starts = await Promise.all([record(start), record(start), record(start)])
  expect(new Set(starts.map(({ session }) => session.startedAt)).size).toBe(1)
  // Another mode does not make it another session.
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
  // What is told after the end is spent all the same, once.
  const { tokens } = await askGood(member, useTokensEndpoint, use)
  expect(tokens).toEqual({ used: 30, total: 1_000 })
})

test('T4 ending what never started is 404', async () => {
  const body = { event: 'end', sessionId: `meeting-${randomUUID()}` } as const
  const answer = await ask(await createMember(), recordUsageSessionEndpoint, { body })
  expect(bad(answer)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
})
