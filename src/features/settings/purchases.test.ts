import { expect, test } from 'vitest'
import { purchasesEndpoint } from '../../contract/receipt.ts'
import { createPurchases } from './purchases.ts'
import { createStoreFixture } from '../../../tests/stores/store-fixture.ts'

test('after a failure the same page is loaded again: the first one, or the next one', async () => {
  const fixture = await createStoreFixture({ isSignedIn: true })
  const { $resource, load, loadMore, again } = createPurchases()
  for (const nextCursor of [null, 'failed', 'more', 'failed', null]) {
    if (nextCursor === 'failed')
      fixture.server.refuse(purchasesEndpoint, 'OVERLOADED', 'Try again.')
    else fixture.server.answer(purchasesEndpoint, { purchases: [], nextCursor })
  }
  await load()
  await load()
  await again()
  expect($resource.get()).toMatchObject({ status: 'ready', data: { nextCursor: 'more' } })
  await loadMore()
  await again()
  expect(fixture.server.requests.at(-1)?.path).toContain('cursor=more')
  expect($resource.get()).toMatchObject({ status: 'ready', data: { nextCursor: null } })
})
