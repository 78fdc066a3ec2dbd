import { expect, test } from 'vitest'
import { createStoreFixture } from '../../../tests/stores/store-fixture.ts'
import { createPendingPurchase } from './pending-purchase.ts'

const PRO = { planType: 'pro', currency: 'INR', price: 2_999 } as const

async function start() {
  const fixture = await createStoreFixture({ path: '/subscription', guard: 'public' })
  return { ...fixture, pending: createPendingPurchase() }
}

test('a pending purchase can be taken once', async () => {
  const { pending } = await start()
  pending.store(PRO)
  expect([pending.take(), pending.take()]).toEqual([PRO, null])
})

test('a pending purchase expires after half an hour', async () => {
  const { pending, advance } = await start()
  pending.store(PRO)
  await advance(30 * 60_000)
  expect(pending.take()).toEqual(PRO)
  pending.store(PRO)
  await advance(30 * 60_000 + 1)
  expect(pending.take()).toBeNull()
})

test.each(['', '{'])('the store ignores text that is not a pending purchase: %s', async (text) => {
  const { pending, environment } = await start()
  environment.tabStorage.setItem('pending-purchase', text)
  expect(pending.take()).toBeNull()
})
