import { expect, test } from 'vitest'
import { meEndpoint } from '../../contract/account.ts'
import { notMeEndpoint } from '../../contract/credential.ts'
import { createNotMe } from './not-me.ts'
import { createStoreWorld } from '../../../tests/stores/store-world.ts'

/** A browser that is signed in opens the link of a mail and presses the button. */
async function lock() {
  const world = await createStoreWorld({ isSignedIn: true, guard: 'public' })
  world.address.path = `/not-me/${'x'.repeat(43)}`
  world.server.answer(notMeEndpoint, {})
  return { ...world, ...createNotMe() }
}

test('locking the account of this browser signs it out here', async () => {
  const { server, lock: press, token, $notMe } = await lock()
  server.forget(meEndpoint)
  server.refuse(meEndpoint, 'UNAUTHENTICATED', 'Please sign in to continue.')
  await press()
  expect([$notMe.get().step, token()]).toEqual(['done', null])
})

test('locking another account leaves this browser signed in', async () => {
  const { lock: press, token, $notMe } = await lock()
  await press()
  expect([$notMe.get().step, token()]).toEqual(['done', 'the-token'])
})
