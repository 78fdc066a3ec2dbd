import { eventKindsOf } from '#harness/fixture/rows.ts'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { grant } from '#harness/entitlement.ts'
import { createAccount, openAccount } from '#harness/fixture/account.ts'
import { callOf, type Fixture } from '#harness/fixture/fixture.ts'
import { MAIN_PLAN } from '../../../src/contract/catalogue.ts'
import { USE_BATCH_MAX, USE_BATCH_MAX_BYTES } from '../../../src/contract/limits.ts'
import { useTokensBatchEndpoint } from '../../../src/contract/report-usage.ts'
import type { Claims } from '../context.ts'
import { days } from '../time.ts'
import { useTokens, useTokensBatch } from './use-tokens.ts'

interface Use {
  idempotencyKey: string
  amount: number
  sessionId?: string
  mode?: 'meeting'
}

async function holder(tokens: number) {
  const { fixture, claims } = await openAccount()
  await grant(fixture.ctx(), claims.userId, { tokens })
  const send = (uses: Use[]) => useTokensBatch(fixture.ctx(), { ...callOf(claims), body: { uses } })
  const outcomes = async (uses: Use[]) => (await send(uses)).results.map(({ outcome }) => outcome)
  return { fixture, claims, send, outcomes }
}

/** The ledger's entries for the uses of an account. */
async function usesOf(fixture: Fixture, { userId }: Claims) {
  const [row] = await fixture.read(sql`
    SELECT count(*) AS count, coalesce(-sum(tokens), 0) AS sum, max(created_at) AS at
    FROM ledger WHERE user_id = ${userId} AND kind = 'use'`)
  return row
}

const use = (number: number): Use => ({
  idempotencyKey: `key-${number}`,
  amount: 1 + (number % 7),
  sessionId: 'meeting-offline',
  mode: 'meeting',
})
const numbers = (length: number, from = 0) => Array.from({ length }, (_, step) => from + step)
const sumOf = (uses: Use[]) => uses.reduce((sum, { amount }) => sum + amount, 0)

test('500 uses count once each and at the time of the call, whatever was reported before and in which order', async () => {
  const { fixture, claims, send } = await holder(1_000_000)
  const queue = numbers(USE_BATCH_MAX).map(use)
  // Some uses were sent alone and in an earlier call, and neither answer arrived.
  for (const one of queue.slice(0, 3)) {
    const { idempotencyKey, ...body } = one
    await useTokens(fixture.ctx(), { ...callOf(claims), body, idempotencyKey })
  }
  await send(queue.slice(100, 200))
  fixture.advance(days(1))
  const sent = queue.toReversed()
  const { results, tokens } = await send(sent)
  expect(results).toEqual(sent.map(({ idempotencyKey }) => ({ idempotencyKey, outcome: 'used' })))
  expect(tokens.used).toBe(sumOf(queue))
  const used = { count: USE_BATCH_MAX, sum: sumOf(queue), at: fixture.now() }
  expect(await usesOf(fixture, claims)).toEqual(used)
  expect((await send(sent)).tokens).toEqual(tokens)
})

test('eight calls at once with the same uses count each use once', async () => {
  const { fixture, claims, outcomes } = await holder(10_000)
  const queue = numbers(50).map(use)
  const answers = await Promise.all(numbers(8).map(() => outcomes(queue)))
  expect(new Set(answers.flat())).toEqual(new Set(['used']))
  expect(await usesOf(fixture, claims)).toMatchObject({ count: 50, sum: sumOf(queue) })
})

test('calls at once take all tokens that there are and not one more', async () => {
  const { fixture, claims, outcomes } = await holder(100)
  const queues = numbers(6).map((call) =>
    numbers(10, call * 10).map((n) => ({ ...use(n), amount: 7 })),
  )
  const answers = (await Promise.all(queues.map(outcomes))).flat()
  expect(answers.filter((outcome) => outcome === 'used')).toHaveLength(14)
  expect(answers.filter((outcome) => outcome === 'insufficient_tokens')).toHaveLength(46)
  expect(await usesOf(fixture, claims)).toMatchObject({ count: 14, sum: 98 })
})

test('a use that does not fit takes nothing, a smaller one after it fits, and it counts once tokens are there', async () => {
  const { fixture, claims, outcomes } = await holder(10)
  const uses = [
    { idempotencyKey: 'a', amount: 6 },
    { idempotencyKey: 'b', amount: 5 },
    { idempotencyKey: 'c', amount: 4 },
    { idempotencyKey: 'd', amount: 1 },
  ]
  const first = ['used', 'insufficient_tokens', 'used', 'insufficient_tokens']
  expect(await outcomes(uses)).toEqual(first)
  expect(await outcomes(uses)).toEqual(first)
  expect(await usesOf(fixture, claims)).toMatchObject({ count: 2, sum: 10 })
  await grant(fixture.ctx(), claims.userId, { tokens: 100 })
  expect(await outcomes(uses)).toEqual(['used', 'used', 'used', 'used'])
  expect(await usesOf(fixture, claims)).toMatchObject({ count: 4, sum: 16 })
})

test('when one key comes with two amounts the first counts, in one call, in two, and beside a single report', async () => {
  const { fixture, claims, outcomes } = await holder(1_000)
  const [five, six] = [5, 6].map((amount) => ({ idempotencyKey: 'same "key" \\ 1', amount }))
  if (five === undefined || six === undefined) throw new Error('there are two')
  expect(await outcomes([five, six, five, six])).toEqual([
    ...['used', 'key_reused', 'used', 'key_reused'],
  ])
  expect(await outcomes([six])).toEqual(['key_reused'])
  const { idempotencyKey, ...body } = six
  const single = useTokens(fixture.ctx(), { ...callOf(claims), body, idempotencyKey })
  await expect(single).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
  expect(await usesOf(fixture, claims)).toMatchObject({ count: 1, sum: 5 })
})

test('tokens left when a plan has ended can still be used, as the plans page says', async () => {
  const { fixture, claims } = await openAccount()
  const paidAt = fixture.now() - days(MAIN_PLAN.accessDays + 1)
  await grant(fixture.ctx(), claims.userId, { hasPlan: true, paidAt })
  const use = useTokens(fixture.ctx(), { ...callOf(claims), body: { amount: 10 } })
  expect(await use).toMatchObject({ tokens: { used: 10, total: MAIN_PLAN.tokens } })
})

test('two accounts may use the same key', async () => {
  const one = await holder(10)
  const other = await holder(10)
  const uses = [{ idempotencyKey: 'the-same', amount: 3 }]
  expect(await one.outcomes(uses)).toEqual(['used'])
  expect(await other.outcomes(uses)).toEqual(['used'])
})

test('without a session nothing is used, and an account that has no tokens is told so', async () => {
  const { fixture, claims, send } = await holder(100)
  const stranger = await createAccount(fixture.ctx())
  const body = { uses: [{ idempotencyKey: 'a', amount: 1 }] }
  const foreign = { userId: claims.userId, sessionId: stranger.sessionId }
  await expect(useTokensBatch(fixture.ctx(), { ...callOf(foreign), body })).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
  })
  const poor = await useTokensBatch(fixture.ctx(), { ...callOf(stranger), body })
  expect(poor.results).toEqual([{ idempotencyKey: 'a', outcome: 'insufficient_tokens' }])
  await fixture.read(sql`UPDATE sessions SET ended_at = 1 WHERE id = ${claims.sessionId}`)
  await expect(send(body.uses)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  expect(await usesOf(fixture, claims)).toMatchObject({ count: 0 })
})

test('a batch that falls below a tenth of the tokens notifies once', async () => {
  const { fixture, claims, outcomes } = await holder(1_000)
  await outcomes(numbers(20).map((number) => ({ ...use(number), amount: 48 })))
  await outcomes([{ idempotencyKey: 'one-more', amount: 1 }])
  await fixture.drain()
  expect(await eventKindsOf(fixture.ctx(), claims.userId)).toEqual(['tokens_low'])
})

test('a full call with the longest keys and ids is within its size, and one entry more is rejected', () => {
  const longest = (number: number) => ({
    idempotencyKey: String(number).padStart(100, 'k'),
    amount: 1_000_000,
    sessionId: 's'.repeat(64),
    mode: 'negotiation',
  })
  const body = { uses: numbers(USE_BATCH_MAX).map(longest) }
  expect(useTokensBatchEndpoint.body.safeParse(body).success).toBe(true)
  expect(JSON.stringify(body).length).toBeLessThan(USE_BATCH_MAX_BYTES)
  const more = { uses: [...body.uses, longest(USE_BATCH_MAX)] }
  expect(useTokensBatchEndpoint.body.safeParse(more).success).toBe(false)
  expect(useTokensBatchEndpoint.body.safeParse({ uses: [] }).success).toBe(false)
})
