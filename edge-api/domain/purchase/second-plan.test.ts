import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { MAIN_PLAN } from '../../../src/contract/catalogue.ts'
import { createAccount } from '#harness/fixture/account.ts'
import { emptyFixture } from '#harness/fixture/empty-fixture.ts'
import {
  createPurchase,
  disputeOf,
  outcomeOf,
  paymentFor,
  refundOf,
} from '#harness/fixture/purchase.ts'
import { callOf } from '#harness/fixture/fixture.ts'
import { currentSubscription } from '../subscription/cancel-plan.ts'
import { factsOf, type Facts } from '../ports/payments.ts'
import { days } from '../time.ts'
import { createOrder } from './create-order.ts'
import type { Purchase } from './purchase.ts'
import { settle } from './settle.ts'

const PLAN = {
  sku: MAIN_PLAN.sku,
  kind: 'plan',
  tokens: MAIN_PLAN.tokens,
  accessDays: MAIN_PLAN.accessDays,
} as const

/** A buyer with an unpaid plan in each currency, as after using two tabs. Another account was deleted. */
async function twoPlans() {
  const fixture = await emptyFixture()
  const claims = await createAccount(fixture.ctx())
  await createAccount(fixture.ctx(), { deletedAt: 1 })
  const { priceMinor } = MAIN_PLAN
  const usd = { ...PLAN, amountMinor: priceMinor.USD, currency: 'USD' } as const
  const inr = { ...PLAN, amountMinor: priceMinor.INR, currency: 'INR' } as const
  return {
    fixture,
    claims,
    first: await createPurchase(fixture.ctx(), claims.userId, usd),
    second: await createPurchase(fixture.ctx(), claims.userId, inr),
    report: (purchase: Purchase, parts: Partial<Facts>) => {
      fixture.advance(1_000)
      return settle(fixture.ctx(), purchase, factsOf(parts))
    },
    subscription: async () => {
      const { subscription, tokens } = await currentSubscription(fixture.ctx(), callOf(claims))
      const { status, takenBackAt } = subscription
      return { status, takenBackAt, total: tokens.total }
    },
  }
}

test('a plan bought again after an end or a refund counts, and the latest one still in force applies', async () => {
  const { fixture, first, second, report, subscription } = await twoPlans()
  const paid = paymentFor(first)
  await report(first, { payments: [paid] })
  const dispute = disputeOf(paid)
  await report(first, { disputes: [dispute] })
  expect(await subscription()).toMatchObject({ status: 'past_due' })
  const again = paymentFor(second)
  await report(second, { payments: [again] })
  expect(await subscription()).toEqual({ status: 'active', takenBackAt: null, total: 1_000_000 })
  await report(first, { disputes: [{ ...dispute, state: 'won' }] })
  await report(second, { refunds: [refundOf(again)] })
  expect(await subscription()).toEqual({ status: 'active', takenBackAt: null, total: 1_000_000 })
  fixture.advance(days(MAIN_PLAN.accessDays))
  expect(await outcomeOf(fixture.ctx(), first)).toMatchObject({ status: 'paid' })
})

test('while a plan is active no Idempotency-Key from before sells a second one', async () => {
  const { fixture, claims, first, second, report } = await twoPlans()
  const idempotencyKey = 'key-of-the-tab'
  await fixture.read(sql`
    INSERT INTO order_keys (user_id, key, purchase_id, created_at)
    VALUES (${claims.userId}, ${idempotencyKey}, ${second.id}, ${fixture.now()})`)
  await report(first, { payments: [paymentFor(first)] })
  const body = { planType: MAIN_PLAN.sku, preferredCurrency: 'INR' } as const
  const order = createOrder(fixture.ctx(), { ...callOf(claims), body, idempotencyKey })
  await expect(order).rejects.toMatchObject({ code: 'PLAN_ALREADY_ACTIVE' })
})
