import { sql, type SQL } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Claims } from '../account/signed.ts'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { emptyWorld } from '../../../tests/harness/world/empty-world.ts'
import { openUnpaidPurchase, paymentFor } from '../../../tests/harness/world/purchase.ts'
import { openPaid, PLAN_IN_INR } from '../../../tests/harness/world/refund.ts'
import { callOf } from '../../../tests/harness/world/world.ts'
import { useTokens } from './use-tokens.ts'

const ends: [string, (claims: Claims, now: number) => SQL][] = [
  [
    'an ended session',
    ({ sessionId }, now) => sql`UPDATE sessions SET ended_at = ${now} WHERE id = ${sessionId}`,
  ],
  [
    'an expired session',
    ({ sessionId }, now) => sql`UPDATE sessions SET expires_at = ${now} WHERE id = ${sessionId}`,
  ],
  [
    'a deleted account',
    ({ userId }, now) => sql`UPDATE users SET deleted_at = ${now} WHERE id = ${userId}`,
  ],
  [
    'a suspended account',
    ({ userId }, now) => sql`UPDATE users SET suspended_at = ${now} WHERE id = ${userId}`,
  ],
]

async function openHolder() {
  const world = await emptyWorld()
  const { purchase, claims, report, outcome } = await openUnpaidPurchase({}, world)
  await report({ payments: [paymentFor(purchase)] })
  const use = (by: Claims) => useTokens(world.ctx(), { ...callOf(by), body: { amount: 10 } })
  return { world, claims, outcome, use }
}

test.each(ends)('%s uses no tokens', async (_what, end) => {
  const { world, claims, outcome, use } = await openHolder()
  const { db, now } = world.ctx()
  await db.batch([db.run(end(claims, now))])
  await expect(use(claims)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  expect(await outcome()).toMatchObject({ used: 0, left: 1_000_000 })
})

test('the session of one account uses no tokens of another', async () => {
  const { world, claims, outcome, use } = await openHolder()
  const stranger = await createAccount(world.ctx())
  await expect(use({ userId: claims.userId, sessionId: stranger.sessionId })).rejects.toMatchObject(
    {
      code: 'UNAUTHENTICATED',
    },
  )
  await expect(use(stranger)).rejects.toMatchObject({ code: 'INSUFFICIENT_TOKENS' })
  const buyer = await openPaid(PLAN_IN_INR, world)
  await expect(
    use({ userId: claims.userId, sessionId: buyer.claims.sessionId }),
  ).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  expect(await buyer.outcome()).toMatchObject({ used: 0 })
  expect(await outcome()).toMatchObject({ used: 0 })
})

test('all tokens can be used, and not one more', async () => {
  const { world, claims, outcome } = await openHolder()
  const use = (amount: number) => useTokens(world.ctx(), { ...callOf(claims), body: { amount } })
  await use(999_999)
  await expect(use(2)).rejects.toMatchObject({ code: 'INSUFFICIENT_TOKENS' })
  await use(1)
  expect(await outcome()).toMatchObject({ left: 0 })
})
