import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openPaid, PLAN_IN_INR } from '#harness/fixture/refund.ts'
import { emptyFixture, type EmptyFixture } from '#harness/fixture/empty-fixture.ts'
import { callOf } from '#harness/fixture/fixture.ts'
import type { Claims } from '../context.ts'
import { seconds, toIso } from '../time.ts'
import { recordUsageSession } from './record-usage-session.ts'
import { useTokens } from './use-tokens.ts'

type Body = Parameters<typeof recordUsageSession>[1]['body']

const recorder = (fixture: EmptyFixture, claims: Claims) => async (body: Body) =>
  (await recordUsageSession(fixture.ctx(), { ...callOf(claims), body })).session

const start = (sessionId: string, mode: 'meeting' | 'sales' = 'meeting') =>
  ({ event: 'start', sessionId, mode }) as const

const endOf = (sessionId: string) => ({ event: 'end', sessionId, secondsSaved: 5 }) as const

test('the first start and the first end of a session count', async () => {
  const { fixture, claims } = await openPaid()
  const record = recorder(fixture, claims)
  const begun = {
    ...{ sessionId: 'call-1', mode: 'meeting', startedAt: toIso(fixture.now()), endedAt: null },
    ...{ succeeded: null, secondsSaved: 0, tokensUsed: 0 },
  }
  expect(await record(start('call-1'))).toEqual(begun)
  fixture.advance(seconds(1))
  expect(await record(start('call-1', 'sales'))).toEqual(begun)
  const end = { event: 'end', sessionId: 'call-1', succeeded: true, secondsSaved: 60 } as const
  const ended = { ...begun, endedAt: toIso(fixture.now()), succeeded: true, secondsSaved: 60 }
  expect(await record(end)).toEqual(ended)
  fixture.advance(seconds(1))
  expect(await record({ ...end, succeeded: false, secondsSaved: 5 })).toEqual(ended)
})

test('the end of a session ends and counts it alone, and none of another user with the same name', async () => {
  const fixture = await emptyFixture()
  const [mine, other] = [await openPaid(PLAN_IN_INR, fixture), await openPaid(PLAN_IN_INR, fixture)]
  const use = (claims: Claims, sessionId: string, amount: number) =>
    useTokens(fixture.ctx(), { ...callOf(claims), body: { amount, sessionId } })
  const [record, recordOther] = [mine, other].map(({ claims }) => recorder(fixture, claims))
  if (record === undefined || recordOther === undefined) throw new Error('there are two')
  await record(start('call-1'))
  await record(start('call-2'))
  await recordOther(start('call-1', 'sales'))
  await use(mine.claims, 'call-1', 10)
  await use(mine.claims, 'call-1', 1)
  await use(mine.claims, 'call-2', 5)
  await use(other.claims, 'call-1', 7)
  const ended = await record({ event: 'end', sessionId: 'call-1', secondsSaved: 0 })
  expect(ended).toMatchObject({ sessionId: 'call-1', mode: 'meeting', tokensUsed: 11 })
  expect(ended.endedAt).not.toBeNull()
  expect(await record(start('call-2'))).toMatchObject({
    ...{ sessionId: 'call-2', endedAt: null, tokensUsed: 5 },
  })
  expect(await recordOther(start('call-1'))).toMatchObject({
    ...{ sessionId: 'call-1', mode: 'sales', endedAt: null, tokensUsed: 7 },
  })
})

test('a session that never started cannot end, and once the user is signed out none starts or ends', async () => {
  const { fixture, claims } = await openPaid()
  const record = recorder(fixture, claims)
  await expect(record(endOf('call-1'))).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await record(start('call-2'))
  await fixture.read(sql`UPDATE sessions SET ended_at = 1 WHERE id = ${claims.sessionId}`)
  for (const body of [start('call-1'), endOf('call-2')])
    await expect(record(body)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  expect(await fixture.read('SELECT session_id, ended_at FROM usage_sessions')).toEqual([
    { session_id: 'call-2', ended_at: null },
  ])
})
