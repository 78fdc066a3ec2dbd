import { expect, test } from 'vitest'
import { purchasesEndpoint } from '../../contract/receipt.ts'
import { createPurchases } from './purchases.ts'
import { createStoreWorld } from '../../../tests/stores/store-world.ts'

test('after a failure the same page is loaded again: the first one, or the next one', async () => {
  const world = await createStoreWorld({ isSignedIn: true })
  const { $resource, load, loadMore, again } = createPurchases()
  for (const nextCursor of [null, 'failed', 'more', 'failed', null]) {
    if (nextCursor === 'failed') world.server.refuse(purchasesEndpoint, 'OVERLOADED', 'Try again.')
    else world.server.answer(purchasesEndpoint, { purchases: [], nextCursor })
  }
  await load()
  await load()
  await again()
  expect($resource.get()).toMatchObject({ status: 'ready', data: { nextCursor: 'more' } })
  await loadMore()
  await again()
  expect(world.server.requests.at(-1)?.path).toContain('cursor=more')
  expect($resource.get()).toMatchObject({ status: 'ready', data: { nextCursor: null } })
})
