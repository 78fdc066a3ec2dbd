import { expect, test } from 'vitest'
import { createStoreFixture } from '../../../tests/stores/store-fixture.ts'
import type { Currency } from '../../contract/currency.ts'
import { plansWithPricingEndpoint } from '../../contract/plans.ts'
import { createPlans } from './plans.ts'

function listing(currency: Currency, price: number) {
  return {
    plans: [
      { id: 'pro', name: 'Pro', price, currency, tokens: 1, accessDays: 365, features: ['One'] },
    ],
    tokenPack: { price: 25, currency, tokens: 1 },
  }
}

async function start() {
  const fixture = await createStoreFixture({ path: '/subscription', guard: 'public' })
  return { ...fixture, plans: createPlans() }
}

test('prices are marked as loading only while they are of another currency', async () => {
  const { plans, server } = await start()
  server.answer(plansWithPricingEndpoint, listing('USD', 35))
  server.answer(plansWithPricingEndpoint, listing('INR', 2999))
  expect(plans.$plans.get().status).toBe('ready')
  const loaded = plans.load()
  expect(plans.$plans.get().status).toBe('ready')
  await loaded
  const chosen = plans.choose('INR')
  expect(plans.$plans.get().status).toBe('loading')
  await chosen
  expect(plans.$plans.get().status).toBe('ready')
})

test("the account's currency is shown first, unless another was chosen on the page", async () => {
  const { plans, server } = await start()
  server.answer(plansWithPricingEndpoint, listing('INR', 2999))
  await plans.prefer('INR')
  expect(plans.$plans.get().currency).toBe('INR')
  await plans.choose('USD')
  await plans.prefer('INR')
  expect(plans.$plans.get().currency).toBe('USD')
})

test('without an answer the page shows no plans, and a toast shows the failure', async () => {
  const { plans, server, said } = await start()
  server.cutOff(plansWithPricingEndpoint)
  await plans.load()
  expect(plans.$plans.get()).toMatchObject({ status: 'failed', plans: [] })
  expect(said()).toEqual(['error: Failed to load subscription plans'])
})
