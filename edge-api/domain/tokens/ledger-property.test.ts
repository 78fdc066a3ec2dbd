import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { grant } from '../../../tests/harness/holding.ts'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { callOf, createWorld, type World } from '../../../tests/harness/world/world.ts'
import { balances, ledger } from '../../db/schema/tokens.ts'
import { Refusal } from '../refusal.ts'
import type { Claims } from '../account/signed.ts'
import { useTokens } from './use-tokens.ts'

/** A seeded generator (Park and Miller), so that a failing run can be repeated. */
function dice(seed: number) {
  let state = seed
  return (sides: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % sides
  }
}

async function member(world: World, tokens: number): Promise<Claims> {
  const ctx = world.ctx()
  const claims = await createAccount(ctx)
  await grant(ctx, claims.userId, { tokens })
  return claims
}

async function spend(world: World, claims: Claims, amount: number, key: string | null) {
  try {
    const call = { ...callOf(claims), body: { amount }, idempotencyKey: key }
    await useTokens(world.ctx(), call)
    return 'spent'
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

async function tokensOf(world: World, { userId }: Claims) {
  const { db } = world.ctx()
  const { kept, summed } = await db.batch({
    kept: db.select().from(balances).where(eq(balances.userId, userId)),
    summed: db
      .select({ sum: sql<number>`coalesce(sum(${ledger.tokens}), 0)` })
      .from(ledger)
      .where(eq(ledger.userId, userId)),
  })
  const { total = 0, used = 0 } = kept[0] ?? {}
  return { total, used, sum: summed[0]?.sum ?? 0 }
}

test('after 340 uses and repetitions at random the balance is the sum of the ledger', async () => {
  const world = createWorld()
  const roll = dice(987_654_321)
  const claims = await member(world, 3_000)
  for (let round = 0; round < 17; round += 1) {
    const uses = Array.from({ length: 20 }, () => {
      const key = roll(3) === 0 ? null : `key-${roll(60)}`
      return spend(world, claims, 1 + roll(40), key)
    })
    await Promise.all(uses)
    const { total, used, sum } = await tokensOf(world, claims)
    expect(total - used).toBe(sum)
    expect(sum).toBeGreaterThanOrEqual(0)
  }
})
