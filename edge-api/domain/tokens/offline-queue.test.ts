import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { grantStatements } from '../../../tests/harness/holding.ts'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { callOf, createWorld } from '../../../tests/harness/world/world.ts'
import { ledger } from '../../db/schema/tokens.ts'
import { days } from '../time.ts'
import { recordUsageSession } from './record-usage-session.ts'
import { useTokens } from './use-tokens.ts'

const REPORTS = 500
/** How many of them were sent before and lost their answer. */
const REPEATED = 100
const AT_ONCE = 25
const SESSION_ID = 'meeting-offline'

/** Shuffles, the same way in every run (Park and Miller). */
function shuffled<T>(items: readonly T[]): T[] {
  let state = 20_261_121
  const next = () => (state = (state * 48_271) % 2_147_483_647)
  return items
    .map((item) => ({ item, place: next() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item)
}

/** Reports carry no time, so a wrong clock changes nothing. */
test('500 reports sent a day late, in any order and some of them twice, count once each', async () => {
  const world = createWorld()
  const ctx = world.ctx()
  const claims = await createAccount(ctx)
  const buyer = { id: claims.userId, username: 'ada', email: 'ada@example.test' }
  const [first, ...rest] = grantStatements(ctx, buyer, { tokens: 1_000_000 })
  if (first !== undefined) await ctx.db.batch([first, ...rest])
  world.advance(days(1))

  const report = async (number: number) => {
    const body = { amount: 1 + (number % 7), sessionId: SESSION_ID, mode: 'meeting' } as const
    const call = { ...callOf(claims), body, idempotencyKey: `report-${number}` }
    return (await useTokens(world.ctx(), call)).used
  }
  const numbers = Array.from({ length: REPORTS }, (_, number) => number)
  const queue = shuffled([...numbers, ...numbers.slice(0, REPEATED)])
  const answers: number[] = []
  for (let sent = 0; sent < queue.length; sent += AT_ONCE) {
    answers.push(...(await Promise.all(queue.slice(sent, sent + AT_ONCE).map(report))))
  }
  // A repeated report gets the same answer.
  expect(answers).toEqual(queue.map((number) => 1 + (number % 7)))

  const wanted = numbers.reduce((sum, number) => sum + 1 + (number % 7), 0)
  const [rows] = await world.ctx().db.batch([
    ctx.db
      .select({ count: sql<number>`count(*)`, sum: sql<number>`-sum(${ledger.tokens})` })
      .from(ledger)
      .where(sql`${eq(ledger.userId, claims.userId)} AND ${eq(ledger.kind, 'use')}`),
  ])
  expect(rows).toEqual([{ count: REPORTS, sum: wanted }])

  // The usage session may be reported after its uses.
  const record = (body: Parameters<typeof recordUsageSession>[1]['body']) =>
    recordUsageSession(world.ctx(), { ...callOf(claims), body })
  await record({ event: 'start', sessionId: SESSION_ID, mode: 'meeting' })
  const { session } = await record({ event: 'end', sessionId: SESSION_ID, secondsSaved: 60 })
  expect(session).toMatchObject({ tokensUsed: wanted, secondsSaved: 60 })
})
