import { expect, test } from 'vitest'
import { MAIN_PLAN } from '../../../src/contract/catalogue.ts'
import { grant } from '#harness/entitlement.ts'
import { callOf, createFixture } from '#harness/fixture/fixture.ts'
import { createAccount } from '#harness/fixture/account.ts'
import { useTokens } from './use-tokens.ts'

test('tokens left when a plan has ended can still be used, as the plans page says', async () => {
  const fixture = createFixture()
  const ctx = fixture.ctx()
  const claims = await createAccount(ctx)
  const longAgo = ctx.now - (MAIN_PLAN.accessDays + 1) * 86_400_000
  await grant(ctx, claims.userId, { hasPlan: true, paidAt: longAgo })
  const call = { ...callOf(claims), body: { amount: 10 }, idempotencyKey: null }
  expect(await useTokens(fixture.ctx(), call)).toMatchObject({
    success: true,
    tokens: { used: 10, total: MAIN_PLAN.tokens },
  })
})
