import { expect, test } from 'vitest'
import { createStoreWorld } from '../../tests/support/store-world.ts'
import { createPurchaseWish } from './purchase-wish.ts'

const PRO = { planType: 'pro', currency: 'INR' } as const

async function start() {
  const world = await createStoreWorld({ path: '/subscription', guard: 'public' })
  return { ...world, wish: createPurchaseWish(world.environment) }
}

test('what somebody wanted to buy is given back once', async () => {
  const { wish } = await start()
  wish.keep(PRO)
  expect([wish.take(), wish.take()]).toEqual([PRO, null])
})

test('after half an hour it is forgotten', async () => {
  const { wish, advance } = await start()
  wish.keep(PRO)
  await advance(30 * 60_000)
  expect(wish.take()).toEqual(PRO)
  wish.keep(PRO)
  await advance(30 * 60_000 + 1)
  expect(wish.take()).toBeNull()
})

test.each(['', '{', '7', '{"planType":"pro","currency":"EUR","keptAt":0}'])(
  'what is no wish is none: %s',
  async (text) => {
    const { wish, environment } = await start()
    environment.tabStorage.setItem('purchase-wish', text)
    expect(wish.take()).toBeNull()
  },
)
