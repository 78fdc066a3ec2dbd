import { expect, test } from 'vitest'
import { exampleOf } from '../../../site/openapi/examples.ts'
import { aMe, aUser } from '../../../tests/stores/samples.ts'
import { createStoreFixture } from '../../../tests/stores/store-fixture.ts'
import { meEndpoint } from '../../contract/account.ts'
import { purchasesEndpoint } from '../../contract/receipt.ts'
import { createLastPurchases } from './last-purchases.ts'

test('a payment that is being confirmed is asked for ever less often, and once it is confirmed the user too', async () => {
  const { server, session, advance } = await createStoreFixture({ isSignedIn: true })
  const { purchases } = purchasesEndpoint.success.parse(exampleOf(purchasesEndpoint).success)
  const inState = (state: 'confirming' | 'paid') => ({
    purchases: purchases.map((purchase) => ({ ...purchase, state })),
    nextCursor: null,
  })
  const { $resource, load } = createLastPurchases()
  server.answer(purchasesEndpoint, inState('confirming'))
  server.cutOff(purchasesEndpoint)
  server.answer(purchasesEndpoint, inState('paid'))
  server.forget(meEndpoint)
  server.answer(meEndpoint, aMe(aUser({ tokens: { used: 0, total: 1_000 } })))
  await load()
  await advance(5_000)
  await expect.poll(() => $resource.get().status).toBe('failed')
  await advance(9_999)
  expect($resource.get().status).toBe('failed')
  await advance(1)
  await expect.poll(() => session.$session.get().user?.tokens.total).toBe(1_000)
})
