import { expect, test } from 'vitest'
import type { UsageMode } from '../../../src/contract/usage.ts'
import { grant } from '#harness/entitlement.ts'
import { createAccount } from '#harness/fixture/account.ts'
import { callOf, createFixture, type Fixture } from '#harness/fixture/fixture.ts'
import type { Claims } from '../context.ts'
import { days, hours } from '../time.ts'
import { recordUsageSession } from './record-usage-session.ts'
import { showUsage } from './show-usage.ts'
import { useTokens } from './use-tokens.ts'

/** Noon, so that an hour more is the same day. */
const NOON = Date.UTC(2026, 10, 18, 12)

async function holder(fixture: Fixture): Promise<Claims> {
  const ctx = fixture.ctx()
  const claims = await createAccount(ctx)
  await grant(ctx, claims.userId, { tokens: 10_000 })
  return claims
}

const NO_MODE = { interview: 0, meeting: 0, sales: 0, negotiation: 0 }

const spend = (fixture: Fixture, claims: Claims, amount: number, more: Options = {}) =>
  useTokens(fixture.ctx(), {
    ...callOf(claims),
    body: { amount, mode: more.mode },
    idempotencyKey: more.key ?? null,
  })

interface Options {
  key?: string
  mode?: UsageMode
}

async function chart(fixture: Fixture, claims: Claims, count: number) {
  const call = { ...callOf(claims), query: { days: count } }
  return (await showUsage(fixture.ctx(), call)).days
}

test('the chart shows the sum of each UTC day by mode, and days without uses as zero', async () => {
  const fixture = createFixture({ now: NOON })
  const claims = await holder(fixture)
  await Promise.all([spend(fixture, claims, 10), spend(fixture, claims, 5, { mode: 'sales' })])
  await spend(fixture, claims, 7, { key: 'once' })
  fixture.advance(hours(1))
  await spend(fixture, claims, 7, { key: 'once' })
  fixture.advance(hours(11) - 1)
  await spend(fixture, claims, 100)
  fixture.advance(1)
  await spend(fixture, claims, 1)
  await spend(fixture, await holder(fixture), 1_000)
  fixture.advance(days(1) + hours(5))
  expect(await chart(fixture, claims, 3)).toEqual([
    { day: '2026-11-18', tokens: 122, byMode: { ...NO_MODE, sales: 5 } },
    { day: '2026-11-19', tokens: 1, byMode: NO_MODE },
    { day: '2026-11-20', tokens: 0, byMode: NO_MODE },
  ])
  expect(await chart(fixture, claims, 1)).toMatchObject([{ day: '2026-11-20', tokens: 0 }])
  const live = { ...fixture, ctx: () => ({ ...fixture.ctx(), paymentMode: 'live' as const }) }
  expect((await chart(live, claims, 3)).map(({ tokens }) => tokens)).toEqual([0, 0, 0])
})

test('the totals count each ended usage session once', async () => {
  const fixture = createFixture({ now: NOON })
  const claims = await holder(fixture)
  const record = (body: Parameters<typeof recordUsageSession>[1]['body']) =>
    recordUsageSession(fixture.ctx(), { ...callOf(claims), body })
  const start = (sessionId: string) => record({ event: 'start', sessionId, mode: 'meeting' })
  const shown = async () => {
    const { sessions } = await showUsage(fixture.ctx(), { ...callOf(claims), query: { days: 1 } })
    return sessions
  }
  for (const id of ['meeting-1', 'meeting-2', 'meeting-3', 'meeting-4']) await start(id)
  expect(await shown()).toEqual({ completed: 0, successRatePercent: 0, secondsSaved: 0 })
  const helped = { event: 'end', succeeded: true, secondsSaved: 60 } as const
  await record({ ...helped, sessionId: 'meeting-1' })
  await record({ ...helped, sessionId: 'meeting-1' })
  expect(await shown()).toEqual({ completed: 1, successRatePercent: 100, secondsSaved: 60 })
  await record({ ...helped, sessionId: 'meeting-2', succeeded: false })
  await record({ event: 'end', sessionId: 'meeting-3', secondsSaved: 5 })
  expect(await shown()).toEqual({ completed: 3, successRatePercent: 50, secondsSaved: 125 })
})
