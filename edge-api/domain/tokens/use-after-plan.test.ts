import { expect, test } from 'vitest'
import { MAIN_PLAN } from '../../../src/contract/catalogue.ts'
import { grantStatements } from '../../../tests/harness/holding.ts'
import { callOf, createWorld } from '../../../tests/harness/world/world.ts'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { useTokens } from './use-tokens.ts'

test('tokens left when a plan has ended can still be used, as the plans page says', async () => {
  const world = createWorld()
  const ctx = world.ctx()
  const claims = await createAccount(ctx)
  const buyer = { id: claims.userId, username: 'ada', email: 'ada@example.test' }
  const longAgo = ctx.now - (MAIN_PLAN.accessDays + 1) * 86_400_000
  const [first, ...rest] = grantStatements(ctx, buyer, { hasPlan: true, paidAt: longAgo })
  if (first === undefined) throw new Error('Nothing was granted.')
  await ctx.db.batch([first, ...rest])
  const call = { ...callOf(claims), body: { amount: 10 }, idempotencyKey: null }
  expect(await useTokens(world.ctx(), call)).toMatchObject({
    success: true,
    tokens: { used: 10, total: MAIN_PLAN.tokens },
  })
})
