import { expect, test } from 'vitest'
import { majorAmount, PLANS } from '../../src/contract/catalogue.ts'
import { planAmountsEndpoint } from '../../src/contract/plans.ts'
import { PURCHASE, SERVER, TOAST } from '../../src/contract/messages.ts'
import { useTokensEndpoint } from '../../src/contract/report-usage.ts'
import {
  cancelSubscriptionEndpoint,
  currentSubscriptionEndpoint,
  reactivateSubscriptionEndpoint,
} from '../../src/contract/subscription.ts'
import { ask, askGood, bad } from '../harness/ask.ts'
import { createUser } from '../harness/user.ts'
import { visitor } from '../harness/visitor.ts'

test('prices are in USD unless another currency is asked for', async () => {
  const prices = PLANS.map(({ sku, priceMinor }) => [sku, majorAmount(priceMinor.USD)] as const)
  const { planAmounts } = await askGood(visitor(), planAmountsEndpoint)
  expect(planAmounts).toEqual(Object.fromEntries(prices))
})

test('a cancelled plan stays active to the end of its period and can be reactivated', async () => {
  const user = await createUser({ hasPlan: true })
  expect(bad(await ask(user, reactivateSubscriptionEndpoint))).toMatchObject({
    status: 409,
    code: 'NOTHING_TO_CHANGE',
    message: PURCHASE.nothingToReactivate,
  })
  const cancelled = await askGood(user, cancelSubscriptionEndpoint)
  expect(cancelled.message).toBe(TOAST.cancelled)
  expect(cancelled.subscription).toMatchObject({ status: 'active', cancelAtPeriodEnd: true })
  const again = await askGood(user, cancelSubscriptionEndpoint)
  expect(again.subscription).toEqual(cancelled.subscription)
  const back = await askGood(user, reactivateSubscriptionEndpoint)
  expect(back.message).toBe(TOAST.reactivated)
  expect(back.subscription).toMatchObject({ status: 'active', cancelAtPeriodEnd: false })
})

test('an account that bought nothing is inactive, without tokens to use and with nothing to cancel', async () => {
  const user = await createUser()
  expect(await askGood(user, currentSubscriptionEndpoint)).toMatchObject({
    subscription: { status: 'inactive', plan: null },
    tokens: { used: 0, total: 0 },
  })
  expect(bad(await ask(user, cancelSubscriptionEndpoint))).toMatchObject({
    status: 409,
    code: 'NOTHING_TO_CHANGE',
    message: PURCHASE.nothingToCancel,
  })
  expect(bad(await ask(user, useTokensEndpoint))).toMatchObject({
    status: 402,
    code: 'INSUFFICIENT_TOKENS',
    message: SERVER.insufficientTokens,
  })
  const long = await ask(user, useTokensEndpoint, { idempotencyKey: 'a'.repeat(101) })
  expect(bad(long).errors?.[0]?.path).toBe('Idempotency-Key')
})
